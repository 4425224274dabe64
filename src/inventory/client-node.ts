/**
 * Loaded lazily: it costs most of a second and 85 MiB where it is not bundled. A module of its own, so that the
 * bundle holds KubeConfig and not the whole generated API.
 */
export { KubeConfig } from "@kubernetes/client-node/dist/config.js";
