/**
 * The release that `meta.capabilities` reports (contract, "Versioning"): v1.1.0, because webhooks
 * are live.
 */
export const version = 'v1.1.0'
