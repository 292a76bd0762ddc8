/** What leads to a company's identity provider from the pages on which a person signs in. */
import { anyProvider } from '../../../accounts/identities/company.ts'
import { companyPath, ownProvider } from '../../../accounts/identities/provider.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import type { PageParts } from '../shared/parts.ts'
import type { SignInWords } from './sign-in-words.ts'

/** The buttons in a form that signs in by mail. */
export async function companyOffer(
  { db, config }: Pick<PageParts, 'db' | 'config'>,
  words: SignInWords,
): Promise<Html | false> {
  const provider = ownProvider(config)
  const ofBusinesses = await anyProvider(db)
  if (!provider && !ofBusinesses) return false
  return html`<div class="actions">
${provider && html`<button class="quiet" formaction="${companyPath}" formnovalidate>${words.signInAt(provider.name)}</button>`}
${ofBusinesses && html`<button class="quiet" formaction="${companyPath}" name="company" value="address">${words.byCompany}</button>`}
</div>`
}

/**
 * The way to the same from the page on which an app is connected: by the sign-in page of the app, which
 * leads back. The provider knows that host alone, and a page at another host has other cookies.
 */
export async function companyLinkFrom(
  { db, config }: Pick<PageParts, 'db' | 'config'>,
  words: SignInWords,
  next: string,
): Promise<Html | false> {
  const provider = ownProvider(config)
  if (!provider && !(await anyProvider(db))) return false
  const url = `${config.appUrl}/login?next=${encodeURIComponent(next)}`
  return html`<div class="actions">
<a class="button quiet" href="${url}">${provider ? words.signInAt(provider.name) : words.byCompany}</a>
</div>`
}
