/**
 * A person who agrees: they open the page that a client sent them to, untick some scopes,
 * request the link, and follow it from the inbox in the same browser.
 */
import { randomBytes } from 'node:crypto'
import { type Field, type Form, formsOf, type Page, TinyBrowser } from './tiny-browser.ts'

export interface Approval {
  email: string
  /** Values of ticked boxes to leave out, such as `forms:read`. */
  untick?: readonly string[]
  /** Values of boxes and choices by the names of their fields, other than those offered. */
  choose?: Readonly<Record<string, string>>
  browser?: TinyBrowser
}

/** What lets a connection see whole addresses and take data out. */
export const everything = { sees: 'full', takes_data_out: 'yes' }

/** An unused address, so that no test is affected by another's mail limit. */
export function newPerson(name = 'ana'): string {
  return `${name}-${randomBytes(6).toString('hex')}@example.com`
}

/**
 * Signs in at the authorize page and returns the address of the callback: the client's
 * redirect URI with `code`, `state` and `iss`. The redirect is not followed.
 */
export async function approve(authorizeUrl: string | URL, approval: Approval): Promise<URL> {
  const browser = approval.browser ?? new TinyBrowser()
  const link = await requestLink(browser, authorizeUrl, approval)
  const answer = await browser.visit(link)
  const location = answer.headers.get('location')
  if (!location) {
    throw new Error(`The link answered ${answer.status} without a redirect: ${await answer.text()}`)
  }
  return new URL(location, link)
}

const listensWithin = 60_000

/**
 * Approves and lets the redirect reach the client's own listener, as a browser would.
 * People are slower than this: some programs print the address first and open their
 * port after it, so a refused connection is tried again.
 */
export async function approveAndReturn(
  authorizeUrl: string | URL,
  approval: Approval,
): Promise<Response> {
  const callback = await approve(authorizeUrl, approval)
  for (const deadline = Date.now() + listensWithin; ; await pause()) {
    try {
      return await fetch(callback)
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

/** The first half: submits the form and waits for the link. */
export async function requestLink(
  browser: TinyBrowser,
  pageUrl: string | URL,
  approval: Approval,
): Promise<string> {
  const page = await browser.open(String(pageUrl))
  const form = formsOf(page).find((entry) => emailField(entry))
  if (!form) throw new Error(`No form that asks for an email address: ${describe(page)}`)
  const { origin } = new URL(page.url)
  const before = new Set((await inboxOf(origin, approval.email)).map((mail) => mail.id))
  const sent = await browser.submit(form, filledIn(form, approval))
  if (sent.status >= 400) throw new Error(`The form was refused: ${describe(sent)}`)
  return newLink(origin, approval.email, before)
}

function filledIn(form: Form, { email, untick = [], choose = {} }: Approval): URLSearchParams {
  const values = new URLSearchParams()
  const isChosen = ({ name, value, checked }: Field) =>
    choose[name] === undefined ? checked && !untick.includes(value) : choose[name] === value
  const asked = emailField(form)
  let pressed = false
  for (const field of form.fields) {
    if (field === asked) values.append(field.name, email)
    else if (field.type === 'checkbox' || field.type === 'radio') {
      if (isChosen(field)) values.append(field.name, field.value)
    } else if (field.type === 'submit') {
      // A browser sends the one button that was pressed: here the first.
      if (!pressed) values.append(field.name, field.value)
      pressed = true
    } else values.append(field.name, field.value)
  }
  return values
}

function emailField(form: Form): Field | undefined {
  return (
    form.fields.find((field) => field.type === 'email') ??
    form.fields.find((field) => field.name === 'email' && field.type !== 'hidden')
  )
}

export interface InboxMail {
  id: string
  subject: string
  links: string[]
}

/** The built-in inbox's JSON listing for one address. */
export async function inboxOf(origin: string, email: string): Promise<InboxMail[]> {
  const response = await fetch(`${origin}/inbox/messages?to=${encodeURIComponent(email)}`, {
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`The inbox answered ${response.status}.`)
  const listing = (await response.json()) as InboxMail[] | { messages: InboxMail[] }
  return Array.isArray(listing) ? listing : listing.messages
}

const mailWithin = 60_000
const pause = () => new Promise((wake) => setTimeout(wake, 25))

/** Waits for a new link; other mail may arrive meanwhile, such as an approval request. */
async function newLink(origin: string, email: string, before: Set<string>): Promise<string> {
  const deadline = Date.now() + mailWithin
  while (Date.now() < deadline) {
    const fresh = (await inboxOf(origin, email)).filter((mail) => !before.has(mail.id))
    const links = fresh.flatMap((mail) => mail.links)
    const link = links.find((url) => URL.canParse(url) && url.includes('/sign-in/'))
    if (link) return link
    await pause()
  }
  throw new Error(`No mail with a link came to ${email} within ${mailWithin / 1000} s.`)
}

function describe(page: Page): string {
  return `${page.status} ${page.url} ${page.body.replace(/\s+/g, ' ').slice(0, 400)}`
}
