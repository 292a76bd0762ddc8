/** A person at the app's connection settings: signs in by mail, reads, revokes. */
import { requestLink } from './sign-in.ts'
import { type Form, formsOf, type Page, TinyBrowser } from './tiny-browser.ts'

const path = '/account/connections'

/** Signs in to the web app and returns the connections page as the person sees it. */
export async function openConnections(url: string, email: string): Promise<[TinyBrowser, Page]> {
  const browser = new TinyBrowser()
  const link = await requestLink(browser, url + path, { email })
  await browser.open(link)
  return [browser, await browser.open(url + path)]
}

/** Revokes every connection of the person, with the page's buttons. */
export async function revokeInConnections(url: string, email: string): Promise<void> {
  const [browser, page] = await openConnections(url, email)
  const forms = formsOf(page).filter(isRevocation)
  if (forms.length === 0) throw new Error(`Nothing to revoke: ${page.status} ${page.url}`)
  for (const form of forms) {
    const sent = await browser.submit(form, valuesOf(form))
    if (sent.status >= 400) throw new Error(`Not revoked: ${sent.status} ${sent.body}`)
  }
}

function isRevocation(form: Form): boolean {
  return form.method === 'POST' && (/revoke/.test(form.action) || form.fields.some(named('revoke')))
}

const named = (word: string) => (field: { name: string; value: string }) =>
  field.name === word || field.value === word

function valuesOf(form: Form): URLSearchParams {
  return new URLSearchParams(form.fields.map(({ name, value }) => [name, value]))
}
