/** A list price of one unit, in US dollars, without free tiers and discounts. */
export interface Price {
  dollars: number;
  unit: string;
  source: string;
}

/**
 * List prices of US East (N. Virginia), as the named pages had them when they were last compared. They change, and
 * other Regions cost 5 to 30 % more: the table says what the parts weigh, not what the bill will be.
 */
export const PRICES_COMPARED_ON = "2026-11-30";

export const PRICES = {
  lambdaGbSecond: price(0.0000133334, "GB-second on arm64", "aws.amazon.com/lambda/pricing"),
  lambdaMillionRequests: price(0.2, "million requests", "aws.amazon.com/lambda/pricing"),
  sqsMillionRequests: price(0.4, "million requests", "aws.amazon.com/sqs/pricing"),
  dynamoMillionWrites: price(
    0.625,
    "million write request units",
    "aws.amazon.com/dynamodb/pricing/on-demand",
  ),
  dynamoMillionReads: price(0.125, "million read request units", "aws.amazon.com/dynamodb/pricing/on-demand"),
  dynamoGbMonth: price(0.25, "GB a month", "aws.amazon.com/dynamodb/pricing/on-demand"),
  dynamoRecoveryGbMonth: price(
    0.2,
    "GB a month, for point-in-time recovery",
    "aws.amazon.com/dynamodb/pricing/on-demand",
  ),
  logsGb: price(0.5, "GB of logs taken in", "aws.amazon.com/cloudwatch/pricing"),
  metricMonth: price(0.3, "custom metric a month", "aws.amazon.com/cloudwatch/pricing"),
  alarmMonth: price(0.1, "alarm a month", "aws.amazon.com/cloudwatch/pricing"),
  secretMonth: price(0.4, "secret a month", "aws.amazon.com/secrets-manager/pricing"),
  transferOutGb: price(0.09, "GB out to the internet", "aws.amazon.com/ec2/pricing/on-demand"),
  natGatewayHour: price(0.045, "NAT gateway an hour", "aws.amazon.com/vpc/pricing"),
} as const satisfies Record<string, Price>;

function price(dollars: number, unit: string, source: string): Price {
  return { dollars, unit, source };
}
