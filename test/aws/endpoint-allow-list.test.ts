import { describe, expect, it } from "vitest";
import { endpointRefusal } from "#src/aws/endpoint-allow-list.ts";

describe("the addresses that may be sent a token", () => {
  it.each([
    ["https://5710B0F1A9497BDDEB1FA136A7531C87.yl4.us-east-2.eks.amazonaws.com", "us-east-2"],
    ["https://5710B0F1A9497BDDEB1FA136A7531C87.gr7.eu-west-1.eks.amazonaws.com/", "eu-west-1"],
    ["https://5710B0F1A9497BDDEB1FA136A7531C87.gr7.eu-west-1.eks.amazonaws.com:443", "eu-west-1"],
    ["https://FF1DE699AA64.sk1.eks-cluster.us-east-1.api.aws", "us-east-1"],
    ["https://FF1DE699AA64.gr7.us-gov-west-1.eks.amazonaws.com", "us-gov-west-1"],
    ["https://FF1DE699AA64.gr7.cn-north-1.eks.amazonaws.com.cn", "cn-north-1"],
    ["https://FF1DE699AA64.sk1.eks-cluster.cn-north-1.api.amazonwebservices.com.cn", "cn-north-1"],
    ["https://FF1DE699AA64.gr7.eusc-de-east-1.eks.amazonaws.eu", "eusc-de-east-1"],
  ])("are EKS's own names in the cluster's Region: %s", (endpoint, region) => {
    expect(endpointRefusal(endpoint, region)).toBeNull();
  });

  const name = "F.gr7.eu-west-1.eks.amazonaws.com";
  const notEks =
    "is not an EKS name of eu-west-1 (*.eu-west-1.eks.amazonaws.com or *.eks-cluster.eu-west-1.api.aws)";
  it.each([
    [`http://${name}`, "is not https"],
    [`ftp://${name}`, "is not https"],
    ["", "is not an address"],
    ["F.gr7.eu-west-1.eks.amazonaws.com", "is not an address"],
    [`https://user:secret@${name}`, "carries a user name or password"],
    [`https://${name}@evil.example`, "carries a user name or password"],
    [`https://${name}:8443`, "names port 8443: EKS serves on 443"],
    [`https://${name}/proxy`, "carries a path"],
    [`https://${name}?to=evil.example`, "carries a query or fragment"],
    [`https://${name}#evil`, "carries a query or fragment"],
    [`https://${name}.evil.example`, notEks],
    [`https://${name}.`, notEks],
    ["https://evil.example", notEks],
    ["https://evil.example\\.eu-west-1.eks.amazonaws.com", "carries a path"],
    ["https://eu-west-1.eks.amazonaws.com", notEks],
    ["https://.eu-west-1.eks.amazonaws.com", notEks],
    ["https://evil-eu-west-1.eks.amazonaws.com", notEks],
    ["https://F.gr7.us-east-1.eks.amazonaws.com", notEks],
    ["https://F.gr7.eu-west-1.eks.amazonaws.com.cn", notEks],
    ["https://abc.execute-api.eu-west-1.api.aws", notEks],
    ["https://169.254.169.254", notEks],
    ["https://[::1]", notEks],
    ["https://127.0.0.1:6443", "names port 6443: EKS serves on 443"],
  ])("are no others: %s", (endpoint, expected) => {
    expect(endpointRefusal(endpoint, "eu-west-1")).toBe(expected);
  });

  it("are no others in a Region that AWS does not have", () => {
    expect(endpointRefusal("https://a.evil.example.eks.amazonaws.com", "evil.example")).toBe(
      "is in evil.example, which is not a Region of any AWS partition",
    );
  });

  it.each([
    ["https://10.0.0.5:8443", null],
    ["https://proxy.example", null],
    ["https://10.0.0.5:8444", "names port 8444: EKS serves on 443"],
    ["http://10.0.0.5:8443", "is not https"],
    ["https://10.0.0.5:8443/clusters/a", "carries a path"],
    ["https://me@10.0.0.5:8443", "carries a user name or password"],
  ])("are besides those that the operator lists, host and port: %s", (endpoint, expected) => {
    expect(endpointRefusal(endpoint, "eu-west-1", ["10.0.0.5:8443", "proxy.example:443"])).toBe(expected);
  });
});
