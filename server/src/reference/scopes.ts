/** The seven scopes (contract 5.1), as the reference explains them. */
import type { Scope } from '../core/operation.ts'

export const scopeMeanings: Record<Scope, string> = {
  'meta:read': 'Capabilities, usage and the list of businesses. Always granted.',
  'forms:read': 'List forms and read their fields.',
  'forms:write': 'Make and change forms, and submit to them.',
  'audience:read': 'List and read contacts and submitted answers.',
  'audience:write': 'Add and change contacts.',
  'messaging:send': 'Send messages to real people.',
  'provisioning:write': 'Sender domains and webhooks.',
}
