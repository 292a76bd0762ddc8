/** The frame of every page, and its protective headers: no embedding, no scripts by default. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { fontStacks, type PageLook } from '../../../accounts/businesses/brand.ts'
import { mendedColour, textColourOn } from '../../../accounts/settings/contrast.ts'
import {
  directionOf,
  type RecipientLanguage,
  wordsIn,
} from '../../../core/recipient-words/languages.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { stylesheetPath } from './stylesheet.ts'

export interface Page {
  title: string
  body: Html
  status?: number
  /** The bar's links and the person's address; without it the bar shows only the name. */
  nav?: Nav
  /** Uses the full width, for lists. A page with one question is narrow. */
  wide?: boolean
  /** A notice above everything, such as that mail does not leave this machine. */
  banner?: Html
  /** The URL to which the page navigates by itself. */
  goesTo?: string
  /** How often the page reloads, without a script. */
  refreshSeconds?: number
  /**
   * For recipients of a business's messages: shows its name instead of the service's, and no links
   * into the app.
   */
  recipientOf?: { business: string | undefined }
  /** The language of the page; English by default. */
  language?: RecipientLanguage
  /** Allows a frame with documents of this service. */
  framesOwn?: boolean
  /** Origins of other sites that may show the page in a frame. */
  shownOn?: readonly string[]
  /** An origin to which a redirect may lead after a form of the page. */
  formGoesTo?: string
  /** The colour of buttons as `#rrggbb`, if the business chose one. */
  colour?: string
  /** The logo, font and corners of the business. */
  look?: PageLook | undefined
  /** Omits the bar above and the line below, for a frame on another site. */
  bare?: boolean
  /** Runs scripts of this service. */
  runsScript?: boolean
  /** Lets its scripts call this service. */
  callsOwn?: boolean
  /**
   * For a page that is the same for everybody: how long browsers and proxies may keep it. Search
   * engines may list it too.
   */
  keptSeconds?: number
  /** Further elements of the head. */
  head?: Html
}

export interface Nav {
  here?: string
  links: { href: string; label: string }[]
  end?: Html
}

function policyOf(
  { framesOwn, shownOn = [], formGoesTo, runsScript, callsOwn }: Page,
  nonce: string | undefined,
): string {
  return [
    "default-src 'none'",
    nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    // Chromium applies this to redirects after a form too. So a form may only be answered by a
    // redirect to another site if that is named: `moveOn` in `http/pages/auth/authorize.ts`.
    formGoesTo === undefined ? "form-action 'self'" : `form-action 'self' ${formGoesTo}`,
    shownOn.length === 0 ? "frame-ancestors 'none'" : `frame-ancestors ${shownOn.join(' ')}`,
    "base-uri 'none'",
    ...(runsScript ? ["script-src 'self'"] : []),
    ...(callsOwn ? ["connect-src 'self'"] : []),
    ...(framesOwn ? ["frame-src 'self'"] : []),
  ].join('; ')
}

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const nonce = ownStyles(page) === '' ? undefined : randomBytes(16).toString('base64')
  return reply
    .code(page.status ?? 200)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(page, nonce),
      ...cachingOf(page.keptSeconds),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    .send(frame(page, nonce).toString())
}

/** A page for everybody differs by the reader's language alone. */
export function cachingOf(keptSeconds: number | undefined): Record<string, string> {
  return keptSeconds === undefined
    ? { 'cache-control': 'no-store' }
    : { 'cache-control': `public, max-age=${keptSeconds}`, vary: 'accept-language' }
}

function frame(page: Page, nonce: string | undefined): Html {
  const language = page.language ?? 'en'
  const words = wordsIn(language, page.look?.words)
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${page.keptSeconds === undefined && html`<meta name="robots" content="noindex">`}
${page.goesTo !== undefined && html`<meta http-equiv="refresh" content="0;url=${page.goesTo}">`}
${page.refreshSeconds !== undefined && html`<meta http-equiv="refresh" content="${page.refreshSeconds}">`}
<title>${titleOf(page)}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${stylesheetPath}">
${page.head}
${nonce !== undefined && html`<style nonce="${nonce}">${ownStyles(page)}</style>`}
</head>
<body>
<a class="skip" href="#main">${words.skipToPage}</a>
${page.bare ? undefined : header(page)}
<main id="main" class="${page.wide ? 'wide' : 'narrow'}">
${page.body}
</main>
${page.recipientOf && !page.bare && words.sentWith !== '' && html`<footer class="sent-with">${words.sentWith}</footer>`}
</body>
</html>
`
}

function header(page: Page): Html {
  return html`<header>
${page.banner && html`<p class="banner">${page.banner}</p>`}
<div class="bar">
${page.recipientOf ? sender(page.recipientOf, page.look) : ours}
${page.nav && bar(page.nav)}
</div>
</header>`
}

/** The grounds of pages on which it is hardest to read: `--sunken` and `--warn-ground` of pages.css. */
const grounds = { light: '#f3f3f5', dark: '#292013' } as const

/**
 * Buttons and links in a business's colour. Words on buttons are white or black, whichever is more
 * legible. A colour that would be lost on a dark page is lightened there, and for links on a light
 * one darkened.
 */
function coloursFor(colour: string): string {
  const inDark = mendedColour(colour, grounds.dark)
  const both = (light: string, dark: string) => `light-dark(${light},${dark})`
  const accent = both(colour, inDark)
  const words = both(textColourOn(colour), textColourOn(inDark))
  const link = both(mendedColour(colour, grounds.light), inDark)
  return `:root{--accent:${accent};--accent-strong:${accent};--on-accent:${words};--link:${link}}`
}

function ownStyles({ colour, look }: Page): string {
  const styles = [
    colour !== undefined && coloursFor(colour),
    // Without quotes, which would be escaped here, and which names of fonts do not need.
    look?.font && `:root{--sans:${fontStacks[look.font].replaceAll("'", '')}}`,
    typeof look?.radius === 'number' &&
      `button,.button,input:not([type=checkbox],[type=radio]),select,textarea{border-radius:${look.radius}px!important}`,
    look?.logo && '.brand img{display:block;max-width:180px;max-height:40px}',
  ]
  return styles.filter((style) => typeof style === 'string').join('')
}

/** A bell, as a crier carries, in the accent colour. */
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%236f67f2' d='M8 1a1 1 0 0 1 1 1v.6c2.3.5 3.5 2.2 3.5 4.9 0 2 .5 2.9 1.5 4H2c1-1.1 1.5-2 1.5-4 0-2.7 1.2-4.4 3.5-4.9V2a1 1 0 0 1 1-1zM6 13h4a2 2 0 0 1-4 0z'/%3E%3C/svg%3E"

const ours = html`<a class="brand" href="/"><img src="${icon}" alt="" width="18" height="18">Crier</a>`

function sender(
  { business }: NonNullable<Page['recipientOf']>,
  look: PageLook | undefined,
): Html | undefined {
  if (business === undefined) return undefined
  if (!look?.logo) return html`<span class="brand"><bdi>${business}</bdi></span>`
  const dark =
    look.darkLogo &&
    html`<source media="(prefers-color-scheme:dark)" srcset="/images/${look.darkLogo}">`
  return html`<span class="brand"><picture>${dark}<img src="/images/${look.logo}" alt="${business}"></picture></span>`
}

function titleOf({ title, recipientOf }: Page): string {
  const whose = recipientOf ? recipientOf.business : 'Crier'
  return whose === undefined || title.includes(whose) ? title : `${title} · ${whose}`
}

function bar(nav: Nav): Html {
  const link = ({ href, label }: Nav['links'][number]) =>
    html`<a href="${href}"${href === nav.here && html` aria-current="page"`}>${label}</a>`
  return html`<nav class="pages" aria-label="Pages">${nav.links.map(link)}</nav>
<div class="bar-end">${nav.end}</div>`
}
