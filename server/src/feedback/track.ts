/**
 * What a message carries so that something comes back of it: links that count clicks, an
 * image that counts opens, and under marketing mail the way out (RFC 2369, RFC 8058).
 */
import type { Letterhead, ReadLetterhead } from '../businesses/letterhead.ts'
import type { Clock } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import { html } from '../platform/html.ts'
import { formatId, type Id } from '../platform/ids.ts'
import { type Content, textOf } from '../platform/mail/quoted-printable.ts'
import type { Vault } from '../platform/vault.ts'
import { type Footer, footerOf } from './footer.ts'
import { createLinkKeeper } from './keep-links.ts'
import { hiddenHash, type Link } from './link.ts'
import { type Marked, markPage, markText } from './mark-links.ts'
import { atEnd } from './page-end.ts'
import { bytesOf, makeToken, tokenMaker } from './token.ts'

export interface ToTrack {
  businessId: Id<'business'>
  messageId: Id<'message'>
  contactId?: Id<'contact'>
  campaignId?: Id<'campaign'>
  kind: 'transactional' | 'marketing'
  rendered: { subject: string; html?: Content; text: Content }
  /** What the message itself wants counted; the business's settings may say no to either. */
  opens?: boolean
  clicks?: boolean
  /** The sender domain's own name for links, such as `t.example.com`. */
  trackingHost?: string
}

export interface Tracked {
  html?: Content
  text: Content
  headers: [name: string, value: string][]
}

export interface Tracking {
  /** Where the recipient of marketing chooses what to get, for templates that say it themselves. */
  preferencesUrl(what: Omit<ToTrack, 'rendered'>): string | undefined
  /** The links it makes are there when it returns. */
  prepare(db: Db, what: ToTrack): Promise<Tracked>
}

export interface TrackingDeps {
  vault: Pick<Vault, 'hmac'>
  clock: Clock
  config: { baseUrl: string }
  letterheadOf: ReadLetterhead
}

export function createTracking(deps: TrackingDeps): Tracking {
  const { vault, clock, config, letterheadOf } = deps
  const keepLinks = createLinkKeeper()
  const installation = vault.hmac('feedback-id', '').toString('hex').slice(0, 8)

  const baseOf = ({ trackingHost }: Omit<ToTrack, 'rendered'>) =>
    trackingHost ? `https://${trackingHost}` : config.baseUrl

  return {
    preferencesUrl: (what) => preferencesUrl(vault, what, baseOf(what)),
    async prepare(db, what) {
      const letterhead = await letterheadOf(what.businessId)
      if (!letterhead) throw new Error('a message of a business that is not there')
      const base = baseOf(what)
      const way = preferencesUrl(vault, what, base)
      const marked = wanted(what, letterhead, way)
      if (marked) await keepLinks(db, what.businessId, marked.links, clock.now())
      const footer = way === undefined ? none : footerOf(letterhead, way, what.rendered)
      const urlOf = marked && clickUrls(vault, what, { base, links: marked.links.length })
      const body = { ...what.rendered, ...(marked && urlOf && writeLinks(what, marked, urlOf)) }
      const hidden = urlOf && what.rendered.html !== undefined ? hiddenLink(urlOf) : ''
      const opens = letterhead.trackOpens && what.opens !== false ? pixel(vault, what, base) : ''
      return {
        text: footer.text === '' ? body.text : [...piecesOf(body.text), footer.text],
        ...(body.html !== undefined && { html: atEnd(body.html, hidden + footer.html + opens) }),
        headers: headersOf(what, way, installation),
      }
    },
  }
}

const piecesOf = (content: Content) => (typeof content === 'string' ? [content] : content)

const none: Footer = { html: '', text: '' }

/** In plain text a long link is hard to read, so it is counted only where there is no HTML. */
function wanted(
  what: ToTrack,
  letterhead: Letterhead,
  way: string | undefined,
): Marked<Content> | undefined {
  if (!letterhead.trackClicks || what.clicks === false) return undefined
  const { html: page, text } = what.rendered
  // The way out leads there at once.
  const counts = (url: string) => url !== way
  const marked = page === undefined ? markText(textOf(text), counts) : markPage(page, counts)
  return marked.links.length > 0 ? marked : undefined
}

type UrlOf = (link: Pick<Link, 'hash'>) => string

function writeLinks(
  { rendered }: ToTrack,
  marked: Marked<Content>,
  urlOf: UrlOf,
): { html: Content } | { text: Content } {
  const written = marked.write(urlOf)
  return rendered.html === undefined ? { text: written } : { html: written }
}

/** No person sees or reaches it: whoever follows it follows everything. */
function hiddenLink(urlOf: UrlOf): string {
  const url = urlOf({ hash: hiddenHash })
  return html`<a href="${url}" style="display:none" aria-hidden="true" tabindex="-1"></a>`.toString()
}

/** For a message with many links: what their URLs have in common is made once. */
function clickUrls(
  vault: TrackingDeps['vault'],
  what: ToTrack,
  { base, links }: { base: string; links: number },
): UrlOf {
  const tokenOf = tokenMaker(vault, 'click', what)
  const before = `${base}/${paths.click}/`
  const rest = Buffer.alloc(hiddenHash.length + 1)
  rest[hiddenHash.length] = Math.min(links, 255)
  return ({ hash }) => {
    rest.set(hash)
    return before + tokenOf(rest)
  }
}

const paths = { click: 'c', open: 'o', preferences: 'u' } as const

function pixel(vault: TrackingDeps['vault'], what: ToTrack, base: string): string {
  const url = `${base}/${paths.open}/${makeToken(vault, 'open', { ...what, rest: Buffer.alloc(0) })}`
  return html`<img src="${url}" width="1" height="1" alt="" style="display:block;border:0">`.toString()
}

/** Whom marketing goes to is a contact, always: consent is a contact's. */
function preferencesUrl(
  vault: TrackingDeps['vault'],
  { businessId, messageId, contactId, kind }: Omit<ToTrack, 'rendered'>,
  base: string,
): string | undefined {
  if (kind !== 'marketing' || contactId === undefined) return undefined
  const named = { businessId, messageId, rest: bytesOf(contactId) }
  return `${base}/${paths.preferences}/${makeToken(vault, 'preferences', named)}`
}

function headersOf(
  { businessId, campaignId, kind }: ToTrack,
  way: string | undefined,
  installation: string,
): [string, string][] {
  const campaign = campaignId ? formatId('campaign', campaignId) : ''
  // What Gmail counts complaints by; the last part names the sender, at most 15 characters.
  const feedbackId = [campaign, formatId('business', businessId), kind, `crier${installation}`]
  const all: [string, string][] = [['Feedback-ID', feedbackId.join(':')]]
  if (way === undefined) return all
  return [
    ...all,
    ['List-Unsubscribe', `<${way}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    // Keeps holiday replies away (RFC 3834 section 2).
    ['Precedence', 'bulk'],
  ]
}
