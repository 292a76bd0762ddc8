/**
 * The release that capabilities report (contract, "Versioning"): v1.1.0, since webhooks are live.
 */
export const version = 'v1.1.0'
