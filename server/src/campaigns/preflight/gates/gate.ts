/** A gate: a check before a campaign is sent, with what it found and how to fix it. */

import { type Fix, type Refusal, refuse } from '../../../core/errors.ts'
import { Type } from '../../../lib/schema/schema.ts'

export const gateNames = [
  'audience',
  'sender',
  'unsubscribe_link',
  'postal_address',
  'consent',
  'permission',
  'quota',
  'content',
  'blocks',
  'subject',
  'variables',
  'size',
  'accessibility',
  'mail_programs',
  'links',
  'segments',
  'stop_word',
] as const

export interface Gate {
  gate: (typeof gateNames)[number]
  /** A warning does not stop the campaign. */
  result: 'pass' | 'warn' | 'block'
  evidence: string
  remedy?: string
  fix?: Fix
}

export const gateView = Type.Object({
  gate: Type.Enum(gateNames),
  result: Type.Enum(['pass', 'warn', 'block']),
  evidence: Type.String(),
  remedy: Type.Optional(Type.String()),
  fix: Type.Optional(
    Type.Object({
      tool: Type.Optional(Type.String()),
      arguments: Type.Optional(Type.Object({}, { additionalProperties: true })),
      url: Type.Optional(Type.String()),
    }),
  ),
})

/** The refusal of a blocked campaign, with the first remedy as the fix. */
export function refuseBlocked(gates: readonly Gate[]): Refusal | undefined {
  const closed = gates.filter(({ result }) => result === 'block')
  if (closed.length === 0) return undefined
  const told = closed.map(({ evidence, remedy }) => [evidence, remedy].filter(Boolean).join(' '))
  const fix = closed.find((entry) => entry.fix)?.fix
  return refuse('conflict', `Nothing was sent. ${told.join(' ')}`, {
    data: {
      reason: 'gates_closed',
      gates: closed.map(({ gate, evidence }) => ({ gate, evidence })),
    },
    ...(fix && { fix }),
  })
}
