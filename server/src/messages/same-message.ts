/**
 * Recognises one message in many: what differs by digits, addresses, markup and the recipient's
 * name alone is the same message. A connection may send one to so many people only
 * (`usage/connection-limit.ts`).
 */
import { createHash } from 'node:crypto'
import type { Channel, Contact } from '../contacts/contact.ts'
import { type Recipient, readPeople } from '../contacts/recipients.ts'
import { formatId, type Id } from '../core/ids.ts'
import type { Tx } from '../lib/db/types.ts'
import type { OneMessage } from '../usage/connection-limit.ts'
import type { MessageToSave, Words } from './to-save.ts'

interface ResolvedMessage {
  id: Id<'message'>
  item: MessageToSave
  recipient: Recipient
}

/** What may hold the names of a contact. */
type ContactText = Pick<Contact, 'name' | 'attributes'>

/**
 * What is counted of the transactional messages of limited connections, by the message's id. A
 * template that a person marked as transactional is not counted.
 */
export async function messagesToCount(
  tx: Tx,
  all: readonly ResolvedMessage[],
): Promise<Map<Id<'message'>, OneMessage>> {
  const counted = all.filter(({ item: { connectionLimit, kind, template } }) => {
    const isLimited = connectionLimit?.peoplePerMessage !== undefined
    return isLimited && kind === 'transactional' && !template?.isTransactional
  })
  const ofContacts = counted.flatMap(({ item: { businessId }, recipient: { contactId } }) =>
    contactId ? [{ businessId, contactId }] : [],
  )
  const people = ofContacts.length > 0 ? await readPeople(tx, ofContacts) : []
  const byContact = new Map(ofContacts.map(({ contactId }, i) => [contactId, people[i]]))
  return new Map(
    counted.map((accepted) => {
      const { contactId } = accepted.recipient
      return [accepted.id, oneMessage(accepted, contactId ? byContact.get(contactId) : undefined)]
    }),
  )
}

function oneMessage(
  { item, recipient }: ResolvedMessage,
  person: ContactText | undefined,
): OneMessage {
  const { businessId, channel, template, connectionLimit } = item
  const { subject, html, text, fields } = item.request ?? item.content
  const shared = { channel, person: recipient.mark.toString('base64url', 0, hashBytes) }
  if (template) {
    const { id, words } = template
    const business = formatId('business', businessId)
    const templateUrl = `${connectionLimit?.appUrl}/b/${business}/templates/${formatId('template', id)}`
    const ofWords = words ? [messageHash(channel, words)] : []
    return { ...shared, messages: [hashOf(`template ${id}`), ...ofWords], templateUrl }
  }
  const names = namesOf([recipient.address, fields?.to ?? []].flat(), person)
  const content = { subject, html, text }
  return { ...shared, messages: [messageHash(channel, content, names)], content }
}

const hashBytes = 9

const hashOf = (text: string) =>
  createHash('sha256').update(text).digest().toString('base64url', 0, hashBytes)

/** Equal for messages that are the same but for digits, addresses, markup and these names. */
export function messageHash(
  channel: Channel,
  { subject, html, text }: Words,
  names: ReadonlySet<string> = noNames,
): string {
  const body = html === null ? (text ?? '') : withoutMarkup(html)
  const words = wordsIn(channel === 'email' ? `${subject ?? ''}\n${body}` : body, names)
  return hashOf(`${channel} ${words.join(' ')}`)
}

const noNames: ReadonlySet<string> = new Set()

/** The words by which a message may call its recipient: of their name, and of their address. */
export function namesOf(
  addresses: readonly string[],
  person: ContactText | undefined,
): Set<string> {
  const attributes = Object.entries(person?.attributes ?? {}).flatMap(([key, value]) =>
    key.toLowerCase().includes('name') && typeof value === 'string' ? [value] : [],
  )
  const local = addresses.map((address) => {
    const at = address.lastIndexOf('@')
    return at < 0 ? address : address.slice(0, at)
  })
  return new Set([person?.name ?? '', ...attributes, ...local].flatMap((text) => runsIn(text)))
}

function wordsIn(text: string, names: ReadonlySet<string>): string[] {
  return text
    .split(/\s+/u)
    .filter((token) => !isAddress(token))
    .flatMap(runsIn)
    .filter((word) => !names.has(word))
}

/** An email address or a URL, which may differ from person to person. */
function isAddress(token: string): boolean {
  return token.includes('@') || token.includes('://') || token.toLowerCase().startsWith('www.')
}

/** The runs of letters in lower case. A run with a digit in it is a number or a code. */
function runsIn(text: string): string[] {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return runs.filter((run) => !/\p{N}/u.test(run))
}

/** The text of HTML or MJML, without tags, comments, styles and scripts. */
function withoutMarkup(markup: string): string {
  // Only the letters of tags: in lower case some other characters are longer.
  const lowerCase = markup.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let text = ''
  let at = 0
  while (at < markup.length) {
    const open = markup.indexOf('<', at)
    if (open < 0) return text + markup.slice(at)
    text += `${markup.slice(at, open)} `
    const close = endOfTag(lowerCase, open)
    if (close < 0) return text
    at = close
  }
  return text
}

/** The place after a tag, or after an element whose content is no text; -1 if it does not end. */
function endOfTag(markup: string, open: number): number {
  if (markup.startsWith('<!--', open)) return after(markup, '-->', open)
  const name = markup.slice(open + 1, open + 7)
  if (name.startsWith('style')) return after(markup, '</style>', open)
  if (name.startsWith('script')) return after(markup, '</script>', open)
  return after(markup, '>', open)
}

function after(markup: string, end: string, from: number): number {
  const index = markup.indexOf(end, from)
  return index < 0 ? -1 : index + end.length
}
