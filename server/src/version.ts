/**
 * The release that `meta.capabilities` reports (contract 13.1): v1.1.0, because webhooks
 * are live.
 */
export const version = 'v1.1.0'
