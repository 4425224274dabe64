#!/usr/bin/env bash
# Lets the auditor read one EKS cluster: an access entry for the member role, and the shipped Kubernetes roles.
# Read it before you run it: it makes two changes, both named below, and --dry-run prints them instead.
#
#   infra/access/grant.sh [--dry-run] CLUSTER REGION [ROLE_NAME]
#
# Run it with credentials of the cluster's account that may create access entries and apply RBAC there. To take the
# access away again: aws eks delete-access-entry ..., kubectl delete -f infra/kubernetes/rbac.yaml
set -euo pipefail

run() { "$@"; }
if [[ "${1:-}" == "--dry-run" ]]; then
  run() { printf '%q ' "$@"; printf '\n'; }
  shift
fi
cluster="${1:?CLUSTER is missing}"
region="${2:?REGION is missing}"
role_name="${3:-proxy-audit-read}"
rbac="$(cd "$(dirname "$0")/../kubernetes" && pwd)/rbac.yaml"

caller="$(aws sts get-caller-identity --query Arn --output text)"
partition="$(cut -d: -f2 <<<"$caller")"
account="$(cut -d: -f5 <<<"$caller")"
role="arn:${partition}:iam::${account}:role/${role_name}"

mode="$(aws eks describe-cluster --region "$region" --name "$cluster" \
  --query cluster.accessConfig.authenticationMode --output text)"
if [[ "$mode" == "CONFIG_MAP" ]]; then
  echo "$cluster takes identities from the aws-auth ConfigMap only. Either let it take access entries too:" >&2
  echo "  aws eks update-cluster-config --region $region --name $cluster --access-config authenticationMode=API_AND_CONFIG_MAP" >&2
  echo "or add to mapRoles: {rolearn: $role, username: proxy-audit, groups: [proxy-audit]}" >&2
  exit 1
fi

# 1. The role becomes a member of the Kubernetes group proxy-audit.
if aws eks describe-access-entry --region "$region" --cluster-name "$cluster" --principal-arn "$role" >/dev/null 2>&1; then
  echo "$cluster has an access entry for $role already" >&2
else
  run aws eks create-access-entry --region "$region" --cluster-name "$cluster" \
    --principal-arn "$role" --type STANDARD --kubernetes-groups proxy-audit
fi

# 2. The group may read what the auditor asks for. Namespaces that the cluster does not have are reported and left out.
kubeconfig="$(mktemp)"
trap 'rm -f "$kubeconfig"' EXIT
aws eks update-kubeconfig --region "$region" --name "$cluster" --kubeconfig "$kubeconfig" >/dev/null
run kubectl --kubeconfig "$kubeconfig" apply -f "$rbac" || echo "some Roles were left out, see above" >&2
