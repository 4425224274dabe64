/**
 * What signing in from a laptop or a pod takes, to be imported when it is wanted. Through this module: in a bundle
 * with chunks, a CommonJS package that is imported dynamically itself has no names, only a default.
 */
export { STSClient } from "@aws-sdk/client-sts";
export { fromNodeProviderChain } from "@aws-sdk/credential-providers";
