/**
 * The parts of a message that produce feedback: links that count clicks, an image that counts
 * opens, and in marketing mail the unsubscribe link (RFC 2369, RFC 8058). It makes no queries, so
 * that a thread can run it.
 */

import type { SenderProfile } from '../accounts/businesses/business.ts'
import { mayTrack, type TrackingConsent } from '../accounts/businesses/may-track.ts'
import { formatId, type Id } from '../core/ids.ts'
import { chooseLanguage, wordsIn } from '../core/recipient-words/languages.ts'
import type { Utm } from '../core/utm.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { findLinks } from '../lib/email/find-links.ts'
import { cut, type PiecedText, type SharedPiece, textOf } from '../lib/email/quoted-printable.ts'
import { escapeHtml, html } from '../lib/text/html.ts'
import {
  hiddenHash,
  type Link,
  linkTagger,
  type Marked,
  type Marking,
  markPage,
  markText,
  type TagLink,
} from './links.ts'
import {
  makePreferencesToken,
  makeToken,
  makeViewToken,
  tokenLength,
  tokenMaker,
} from './tokens.ts'

export interface ToTrack {
  businessId: Id<'business'>
  messageId: Id<'message'>
  contactId?: Id<'contact'>
  campaignId?: Id<'campaign'>
  /** What a campaign's message says, by its template. */
  version?: { templateVersionId: Id<'templateVersion'>; shownBlocks: number | null }
  kind: 'transactional' | 'marketing'
  /** The channel of the message that has the links. If absent, email. */
  channel?: 'email' | 'sms'
  /** The key of the topic that marketing is about. */
  topic?: string
  /** The sender's domain, under which its lists are named (RFC 2919). */
  listDomain?: string
  /** The recipient's, as a BCP 47 tag, for the footer. If absent, the business's language. */
  language?: string | null
  rendered: { subject: string; html?: PiecedText; text: PiecedText }
  /** Whether the message should be tracked. The business's settings can disable either kind. */
  opens?: boolean
  clicks?: boolean
  /** The sender domain's own host name for links, such as `t.example.com`. */
  trackingHost?: string
  /** UTM parameters for the links. */
  utm?: Utm
  /** The recipient's consent to tracking. Absent if the recipient is not a contact. */
  trackingConsent?: TrackingConsent
}

export interface Tracked {
  html?: PiecedText
  text: PiecedText
  headers: [name: string, value: string][]
}

interface TrackedBy {
  vault: Pick<Vault, 'hmac'>
  baseUrl: string
  /** The installation's name in Feedback-ID. */
  installation: string
}

/** Returns the message, and the links that must be stored before it is sent. */
export function trackMail(
  by: TrackedBy,
  senderProfile: SenderProfile,
  mail: ToTrack,
): Tracked & { links: readonly Link[] } {
  const { vault } = by
  const base = baseOf(by, mail)
  const way = preferencesUrl(by, mail)
  const isTracked =
    (mail.kind === 'marketing' || senderProfile.trackTransactional) &&
    mayTrack(senderProfile.tracking, mail.trackingConsent)
  const countsClicks = isTracked && senderProfile.trackClicks && mail.clicks !== false
  const tag = mail.utm && linkTagger(mail.utm, ownHostsOf(by, mail))
  // The links to unsubscribe and to the view in a browser stay direct.
  const ownPages = [`${base}/${paths.preferences}/`, `${base}/${paths.view}/`]
  const counts = (url: string) => countsClicks && !ownPages.some((page) => url.startsWith(page))
  const marked =
    countsClicks || tag ? markedLinks(mail, { counts, ...(tag && { tag }) }) : undefined
  const footer =
    way === undefined ? none : footerOf(senderProfile, way, mail.rendered, mail.language)
  const count = marked?.links.length ?? 0
  const urlOf = count > 0 ? clickUrls(vault, mail, { base, links: count }) : undefined
  const body = {
    ...mail.rendered,
    ...(tag && { text: taggedText(mail.rendered.text, tag) }),
    ...(marked && writeLinks(mail, marked, urlOf)),
  }
  const hidden = urlOf && mail.rendered.html !== undefined ? hiddenLink(urlOf) : ''
  const countsOpens = isTracked && senderProfile.trackOpens && mail.opens !== false
  const opens = countsOpens ? pixel(vault, mail, base) : ''
  return {
    text: footer.text === '' ? body.text : [...piecesOf(body.text), footer.text],
    ...(body.html !== undefined && { html: atEnd(body.html, hidden + footer.html + opens) }),
    headers: trackingHeaders(mail, way, by.installation),
    links: marked?.links ?? [],
  }
}

export function atEnd(page: PiecedText, added: string): PiecedText {
  if (added === '') return page
  if (typeof page === 'string') return inserted(page, added)
  for (let n = page.length - 1; n >= 0; n--) {
    const piece = page[n] ?? ''
    const { halves, half } = typeof piece === 'string' ? endIn(piece) : endOf(piece)
    if (half && n < page.length - 1) return inserted(textOf(page), added)
    if (halves) return [...page.slice(0, n), halves[0], added, halves[1], ...page.slice(n + 1)]
  }
  return [...page, added]
}

function inserted(page: string, added: string): string {
  const end = bodyEnd(page)
  return end < 0 ? page + added : page.slice(0, end) + added + page.slice(end)
}

/** Lower-casing changes the length of some letters, and so every position after them. */
function bodyEnd(text: string): number {
  let at = -1
  for (const { index } of text.matchAll(/<\/body>/gi)) at = index
  return at
}

interface End<Piece> {
  /** The page before the last `</body>`, and the rest. */
  halves: [Piece, Piece] | undefined
  /** Whether the next piece may change one of the last letters. */
  half: boolean
}

function endOf(piece: SharedPiece): End<SharedPiece> {
  const cached = endsByPiece.get(piece)
  if (cached) return cached
  const { halves, half } = endIn(piece.text)
  const end: End<SharedPiece> = { halves: halves && [cut(halves[0]), cut(halves[1])], half }
  endsByPiece.set(piece, end)
  return end
}

function endIn(text: string): End<string> {
  const at = bodyEnd(text)
  return {
    halves: at < 0 ? undefined : [text.slice(0, at), text.slice(at)],
    half: /<(?:\/(?:b(?:o(?:dy?)?)?)?)?$/i.test(text.slice(-6)),
  }
}

const endsByPiece = new WeakMap<SharedPiece, End<SharedPiece>>()

type Sender = Pick<SenderProfile, 'name' | 'postalAddress' | 'language' | 'look'>

interface Footer {
  html: string
  text: string
}

/** Adds the elements that the mail does not contain yet. A template may have both. */
export function footerOf(
  senderProfile: Sender,
  preferencesUrl: string,
  body: { html?: PiecedText; text: PiecedText },
  language?: string | null,
): Footer {
  const footer = whole(senderProfile, preferencesUrl, language)
  const required = [preferencesUrl, ...(senderProfile.postalAddress?.split('\n') ?? [])]
  const isIn = (part: PiecedText | undefined, spell: (text: string) => string) => {
    const whole = textOf(part ?? '')
    return required.every((text) => whole.includes(spell(text)))
  }
  return {
    html: isIn(body.html, escapeHtml) ? '' : footer.html,
    text: isIn(body.text, (text) => text) ? '' : footer.text,
  }
}

function whole(
  { name, postalAddress, language: ofBusiness, look }: Sender,
  preferencesUrl: string,
  language: string | null | undefined,
): Footer {
  const address = postalAddress?.split('\n') ?? []
  // Many people begin their address with the name.
  const lines = isSame(address[0], name) ? address : [name, ...address]
  const way = wordsIn(chooseLanguage(language, ofBusiness), look?.words).mail.preferences
  return {
    html: html`<div class="crier-footer" style="margin:32px auto 16px;max-width:600px;color:#5a5a65;font:12px/1.5 sans-serif;text-align:center">
<p style="margin:0 0 8px">${lines.map((line, i) => (i === 0 ? line : html`<br>${line}`))}</p>
<p style="margin:0"><a href="${preferencesUrl}" style="color:#5a5a65">${way}</a></p>
</div>`.toString(),
    text: `\n\n-- \n${lines.join('\n')}\n\n${way}:\n${preferencesUrl}\n`,
  }
}

function isSame(line: string | undefined, name: string): boolean {
  return line?.trim().toLowerCase() === name.trim().toLowerCase()
}

/** Marketing is always sent to a contact, because consent belongs to contacts. */
export function preferencesUrl(by: TrackedBy, mail: Omit<ToTrack, 'rendered'>): string | undefined {
  const { businessId, messageId, contactId, kind, channel = 'email', topic = null } = mail
  if (kind !== 'marketing' || contactId === undefined) return undefined
  const clickSubject = { businessId, messageId, contactId, channel, topic }
  return `${baseOf(by, mail)}/${paths.preferences}/${makePreferencesToken(by.vault, clickSubject)}`
}

/** The page that shows this mail in a browser, for the same messages. */
export function viewUrl(by: TrackedBy, mail: Omit<ToTrack, 'rendered'>): string | undefined {
  const { businessId, messageId, contactId, campaignId, kind, version } = mail
  if (kind !== 'marketing' || contactId === undefined) return undefined
  const campaign = campaignId && version ? { contactId, campaignId, ...version } : undefined
  const token = makeViewToken(by.vault, { businessId, messageId, campaign })
  return `${baseOf(by, mail)}/${paths.view}/${token}`
}

function baseOf({ baseUrl }: TrackedBy, { trackingHost }: Omit<ToTrack, 'rendered'>): string {
  return trackingHost ? `https://${trackingHost}` : baseUrl
}

const piecesOf = (content: PiecedText) => (typeof content === 'string' ? [content] : content)

const none: Footer = { html: '', text: '' }

/** The hosts whose links lead to a recipient's own pages here. */
function ownHostsOf({ baseUrl }: TrackedBy, { trackingHost }: ToTrack): string[] {
  return [new URL(baseUrl).host, ...(trackingHost ? [trackingHost] : [])]
}

/**
 * In plain text a long link is hard to read, so links there are tracked only if there is no HTML.
 */
function markedLinks({ rendered: { html: page, text } }: ToTrack, marking: Marking) {
  return page === undefined ? markText(textOf(text), marking) : markPage(page, marking)
}

function taggedText(text: PiecedText, tag: TagLink): string {
  return markText(textOf(text), { counts: () => false, tag }).write(({ url }) => url)
}

type UrlOf = (link: Pick<Link, 'hash'>) => string

function writeLinks(
  { rendered }: ToTrack,
  marked: Marked<PiecedText>,
  urlOf: UrlOf | undefined,
): { html: PiecedText } | { text: PiecedText } {
  const rewritten = marked.write(urlOf ?? (({ url }) => url))
  return rendered.html === undefined ? { text: rewritten } : { html: rewritten }
}

/** No person sees it, so a visitor that follows it follows everything. */
function hiddenLink(urlOf: UrlOf): string {
  const url = urlOf({ hash: hiddenHash })
  return html`<a href="${url}" style="display:none" aria-hidden="true" tabindex="-1"></a>`.toString()
}

/** How many bytes the counting of opens and clicks adds to a page, with addresses of this base. */
export function bytesOfTracking(page: string, base: string): number {
  const length = `${base}/${paths.click}/`.length + tokenLength('click')
  let bytes = hiddenLink(() => 'x'.repeat(length)).length + pixelOf('x'.repeat(length)).length
  for (const { start, end, url } of findLinks(page)) {
    if (beginsUrl.test(url)) bytes += Math.max(0, length - (end - start))
  }
  return bytes
}

const beginsUrl = /^https?:/i

/** For a message with many links. The common part of their URLs is computed once. */
function clickUrls(
  vault: TrackedBy['vault'],
  mail: ToTrack,
  { base, links }: { base: string; links: number },
): UrlOf {
  const tokenOf = tokenMaker(vault, 'click', mail)
  const before = `${base}/${paths.click}/`
  const rest = Buffer.alloc(hiddenHash.length + 1)
  rest[hiddenHash.length] = Math.min(links, 255)
  return ({ hash }) => {
    rest.set(hash)
    return before + tokenOf(rest)
  }
}

const paths = { click: 'c', open: 'o', preferences: 'u', view: 'v' } as const

function pixel(vault: TrackedBy['vault'], mail: ToTrack, base: string): string {
  const url = `${base}/${paths.open}/${makeToken(vault, 'open', { ...mail, rest: Buffer.alloc(0) })}`
  return pixelOf(url)
}

const pixelOf = (url: string) =>
  html`<img src="${url}" width="1" height="1" alt="" style="display:block;border:0">`.toString()

function trackingHeaders(
  { businessId, campaignId, kind, topic, listDomain }: ToTrack,
  way: string | undefined,
  installation: string,
): [string, string][] {
  const campaign = campaignId ? formatId('campaign', campaignId) : ''
  // Gmail counts complaints by these parts. The last names the sender, in at most 15 characters.
  const feedbackId = [campaign, formatId('business', businessId), kind, `crier${installation}`]
  const all: [string, string][] = [['Feedback-ID', feedbackId.join(':')]]
  if (way === undefined) return all
  const list = `${topic ?? formatId('business', businessId)}.${listDomain}`
  return [
    ...all,
    ...(listDomain === undefined ? [] : [['List-Id', `<${list}>`] as [string, string]]),
    ['List-Unsubscribe', `<${way}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    // Prevents vacation replies (RFC 3834 section 2).
    ['Precedence', 'bulk'],
  ]
}
