/** Writes infra/service/table.yml, the DynamoDB table as CloudFormation, from the definition that the tests create. */
import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";
import { dynamoTableDefinition, dynamoTimeToLive } from "../src/store/dynamodb-table.ts";

const FILE = new URL("../infra/service/table.yml", import.meta.url);

export function tableTemplate(): string {
  const template = {
    Resources: {
      Table: {
        Type: "AWS::DynamoDB::Table",
        // Waivers, approvals and history outlive a stack that is removed by mistake.
        DeletionPolicy: "Retain",
        UpdateReplacePolicy: "Retain",
        Properties: {
          TableName: "$" + "{self:service}-$" + "{sls:stage}",
          ...dynamoTableDefinition,
          TimeToLiveSpecification: dynamoTimeToLive,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          // With a key that AWS manages in this account: its use shows in CloudTrail.
          SSESpecification: { SSEEnabled: true },
          DeletionProtectionEnabled: true,
        },
      },
    },
    Outputs: { TableName: { Description: "Audits, decisions and runs", Value: { Ref: "Table" } } },
  };
  return (
    "# Made by `node scripts/table-template.ts` from src/store/dynamodb-table.ts: change it there.\n" +
    stringify(template, { aliasDuplicateObjects: false })
  );
}

if (import.meta.main) await writeFile(FILE, tableTemplate());
