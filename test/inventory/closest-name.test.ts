import { describe, expect, it } from "vitest";
import { closestName } from "#src/inventory/closest-name.ts";

describe("the name that was probably meant", () => {
  it.each([
    ["prod-ue", ["prod-us", "prod-eu", "dev"], "prod-us"],
    ["PROD-EU", ["prod-us", "prod-eu"], "prod-eu"],
    ["stagin", ["prod", "staging"], "staging"],
    ["x", ["production"], undefined],
    ["minikube", ["prod-eu"], undefined],
    ["", [], undefined],
  ])("%s among %s is %s", (wanted, names, meant) => {
    expect(closestName(wanted, names)).toBe(meant);
  });
});
