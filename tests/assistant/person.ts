/** The assistant's person: signs in, opens pages that are handed over, and reads mailboxes. */
import assert from 'node:assert/strict'
import { approve, everything, inboxOf, newPerson, requestLink } from '../support/clients/sign-in.ts'
import { formsOf, TinyBrowser } from '../support/clients/tiny-browser.ts'

export function newOwner() {
  const browser = new TinyBrowser()
  const visited: string[] = []
  const email = newPerson('owner')
  return {
    visited,
    /** They let the assistant see whole addresses and have events sent to new hosts. */
    signIn: (url: URL) => approve(url, { email, browser, choose: everything }),
    /** Opens the page, signs in first if necessary, and presses the page's first button. */
    async visit(url: string): Promise<void> {
      visited.push(url)
      let page = await browser.open(url)
      if (page.body.includes('type="email"')) {
        page = await browser.open(await requestLink(browser, url, { email }))
      }
      const form = formsOf(page).find(({ fields }) => fields.some(({ type }) => type === 'submit'))
      assert.ok(form, page.body)
      const button = form.fields.findIndex(({ type }) => type === 'submit')
      const sent = form.fields.filter(({ type }, i) => type !== 'submit' || i === button)
      const values = new URLSearchParams(sent.map(({ name, value }) => [name, value]))
      assert.equal((await browser.submit(form, values)).status, 200)
    },
    async mailsTo(origin: string, address: string): Promise<number> {
      return (await inboxOf(origin, address)).length
    },
  }
}
