/** The tests' addition to the service: one operation behind a scope that a person may untick. */

import { operation } from 'crier-server/core/operation.ts'
import { Type } from 'typebox'

export const toolPath = '/api/functions/svc-mcp'
export const aliasPath = '/mcp'
export const businessList = 'svc.v1.business.list'

/** A placeholder for the first real tool with `forms:read`. */
export const behindScope = operation({
  name: 'form.probe',
  title: 'Probe of a scope',
  summary: 'For tests: answers whoever holds forms:read.',
  reach: 'connection',
  scope: 'forms:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/form-probe',
  input: {},
  output: Type.Object({ reached: Type.Boolean() }),
  async run() {
    return { reached: true }
  },
})

export const probe = 'svc.v1.form.probe'
export const probeScope = 'forms:read'
