# The same role as ../role.yml, for accounts that are kept with Terraform.
terraform {
  required_version = ">= 1.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.0"
    }
  }
}

variable "hub_account_id" {
  type        = string
  description = "The account that the service is deployed in"
  validation {
    condition     = can(regex("^[0-9]{12}$", var.hub_account_id))
    error_message = "An account id is 12 digits."
  }
}

variable "external_id" {
  type        = string
  sensitive   = true
  description = "The text that is kept in the hub as /proxy-audit/external-id"
}

variable "role_name" {
  type    = string
  default = "proxy-audit-read"
}

variable "hub_role_prefix" {
  type        = string
  default     = "proxy-audit-"
  description = "How the names of the hub's roles begin, which is the name of its stack"
}

data "aws_partition" "current" {}
data "aws_caller_identity" "current" {}

locals {
  partition = data.aws_partition.current.partition
  account   = data.aws_caller_identity.current.account_id
}

data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRole"]
    principals {
      type        = "AWS"
      identifiers = ["arn:${local.partition}:iam::${var.hub_account_id}:root"]
    }
    condition {
      test     = "StringEquals"
      variable = "sts:ExternalId"
      values   = [var.external_id]
    }
    condition {
      test     = "ArnLike"
      variable = "aws:PrincipalArn"
      values   = ["arn:${local.partition}:iam::${var.hub_account_id}:role/${var.hub_role_prefix}*"]
    }
  }
}

data "aws_iam_policy_document" "read" {
  statement {
    sid = "Clusters"
    actions = [
      "eks:DescribeCluster",
      "eks:DescribeNodegroup",
      "eks:DescribeAddon",
      "eks:ListInsights",
      "eks:ListNodegroups",
    ]
    resources = [
      "arn:${local.partition}:eks:*:${local.account}:cluster/*",
      "arn:${local.partition}:eks:*:${local.account}:nodegroup/*",
      "arn:${local.partition}:eks:*:${local.account}:addon/*",
    ]
  }

  # These accept no resource (Service Authorization Reference).
  statement {
    sid = "WithoutResource"
    actions = [
      "account:ListRegions",
      "ec2:DescribeRegions",
      "eks:DescribeAddonConfiguration",
      "eks:DescribeAddonVersions",
      "eks:DescribeClusterVersions",
      "eks:ListClusters",
    ]
    resources = ["*"]
  }
}

resource "aws_iam_role" "read" {
  name                 = var.role_name
  description          = "Assumed by proxy-audit in the hub account, to list and describe EKS clusters"
  max_session_duration = 3600
  assume_role_policy   = data.aws_iam_policy_document.trust.json
  tags                 = { app = "proxy-audit" }
}

resource "aws_iam_role_policy" "read" {
  name   = "read"
  role   = aws_iam_role.read.id
  policy = data.aws_iam_policy_document.read.json
}

output "role_arn" {
  description = "The principal of access entries, unless the hub's own role is"
  value       = aws_iam_role.read.arn
}
