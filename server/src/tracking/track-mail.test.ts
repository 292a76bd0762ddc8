import assert from 'node:assert/strict'
import { test } from 'node:test'
import { footerOf } from './track-mail.ts'

test('the footer names the business once, also where its address begins with the name', () => {
  const textOf = (postalAddress: string) => {
    const sender = { name: 'Brindlequay', postalAddress, language: 'en' }
    const footer = footerOf(sender, 'https://crier.test/u/1', { html: '<p>Hi</p>', text: 'Hi' })
    const lines = footer.text.split('\n\n')[1] ?? ''
    assert.ok(
      footer.html.includes(
        `<p style="margin:0 0 8px">${lines.slice(4).replaceAll('\n', '<br>')}</p>`,
      ),
    )
    return lines
  }
  assert.equal(textOf('1 Example Street\nPorto'), '-- \nBrindlequay\n1 Example Street\nPorto')
  assert.equal(textOf('BRINDLEQUAY\nPorto'), '-- \nBRINDLEQUAY\nPorto')
  assert.equal(textOf('Brindlequay Street 1'), '-- \nBrindlequay\nBrindlequay Street 1')
})
