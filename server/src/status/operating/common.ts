/**
 * What the definitions of the operator's operations share. Their `reach` stands in each, because it
 * decides the type of `run`.
 */

export const forOperator = {
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
} as const

export const readHints = {
  readOnly: true,
  destructive: false,
  idempotent: true,
  openWorld: false,
} as const

export const changeHints = {
  readOnly: false,
  destructive: false,
  idempotent: true,
  openWorld: false,
} as const
