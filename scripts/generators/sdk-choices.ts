/** What the schemas of arguments cannot say: of which fields at least one is needed. */

/** The fields of one alternative. */
type Alternative = readonly string[]

interface Choices {
  /** Of each group one alternative must be there whole. */
  groups?: readonly (readonly Alternative[])[]
  /** A list whose items have the fields of another operation, but these. */
  items?: { field: string; like: string; but: readonly string[] }
}

const recipient: readonly Alternative[] = [['to'], ['contact_id']]
const template: readonly Alternative[] = [['template_id'], ['template_key']]
const ofCall = ['business_id', 'idempotency_key']

export const choices: Readonly<Record<string, Choices>> = {
  'email.send': {
    groups: [recipient, [...template, ['subject', 'html'], ['subject', 'text']]],
  },
  'sms.send': { groups: [recipient, [...template, ['text']]] },
  'email.send_batch': {
    items: { field: 'messages', like: 'email.send', but: [...ofCall, 'cc', 'bcc'] },
  },
  'sms.send_batch': { items: { field: 'messages', like: 'sms.send', but: ofCall } },
  'webhook.replay': { groups: [[['delivery_id'], ['webhook_id']]] },
}
