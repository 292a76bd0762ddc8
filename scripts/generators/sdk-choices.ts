/** What the schemas of arguments cannot say: of which fields at least one is needed. */

/** The fields of one alternative. */
type Alternative = readonly string[]

interface Choices {
  /** Of each group one alternative must be there whole. */
  groups?: readonly (readonly Alternative[])[]
  /** The same of each entry of a batch. */
  entryGroups?: readonly (readonly Alternative[])[]
}

const recipient: readonly Alternative[] = [['to'], ['contact_id']]
const template: readonly Alternative[] = [['template_id'], ['template_key']]
const mail = [recipient, [...template, ['subject', 'html'], ['subject', 'text']]]
const person = [[['email'], ['phone'], ['external_id']]]
const textMessage = [recipient, [...template, ['text']]]

export const choices: Readonly<Record<string, Choices>> = {
  'contact.import': { entryGroups: person },
  'contact.suppress': { groups: [[['contact_id'], ['email'], ['phone']]] },
  'contact.upsert': { groups: person },
  'segment.explain': { groups: [[['segment_id'], ['filter']]] },
  'sequence.enrol': { groups: [[['contact_id'], ['segment_id'], ['filter']]] },
  'email.send': { groups: mail },
  'sms.send': { groups: textMessage },
  'email.send_batch': { entryGroups: mail },
  'sms.send_batch': { entryGroups: textMessage },
  'suppression.import': { entryGroups: [[['email'], ['phone'], ['sha256']]] },
  'webhook.replay': { groups: [[['delivery_id'], ['webhook_id']]] },
}
