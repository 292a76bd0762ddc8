/** The search of the documentation finds what developers ask for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexOf, mostHits, search } from 'crier-server/reference/search.ts'
import { shelvesOf } from 'crier-server/reference/shelves.ts'
import { freshSite } from 'crier-server/reference/site.ts'
import { catalog } from '../operations/support/testbed.ts'

const index = indexOf(shelvesOf(catalog, freshSite))

/** Questions in the words of developers, and the pages of which one answers each. */
const questions: [question: string, ...pages: string[]][] = [
  ['webhook signature verify node', 'guides/webhooks', 'help/receiving-webhooks'],
  ['hmac header name', 'guides/webhooks', 'help/receiving-webhooks'],
  ['How do I create a contact or update it if it already exists?', 'operations/contact.upsert'],
  ['upsert contact by email', 'operations/contact.upsert'],
  ['pagination cursor', 'guides/cursors'],
  ['why does list contacts only return 100', 'guides/cursors', 'operations/contact.list'],
  ['429', 'guides/limits', 'errors/rate_limited'],
  ['rate limit headers retry after', 'guides/limits', 'errors/rate_limited'],
  ['idempotency key', 'guides/idempotency'],
  ['can i safely retry POST /messages after a timeout', 'guides/idempotency'],
  ['api key scopes', 'guides/send-from-your-code', 'help/connections', 'guides/authentication'],
  ['401 invalid token but key is right', 'errors/unauthorized', 'guides/authentication'],
  ['oauth for mcp client', 'guides/assistants', 'guides/authentication'],
  ['mcp server url where do i paste it', 'guides/assistants'],
  ['list of mcp tools', 'guides/assistants'],
  ['which tools need confirmation', 'guides/assistants'],
  ['docker compose example', 'operate/server', 'operate'],
  ['environment variables', 'operate/settings'],
  ['How do I run it behind nginx with https?', 'operate/server'],
  ['backup and restore', 'operate/backup'],
  ['upgrade breaking changes', 'operate/upgrade', 'guides/versions', 'changelog'],
  ['smtp relay settings', 'operate/relays', 'operate/mail', 'operate/settings'],
  ['dkim spf dmarc records', 'operations/domain.add', 'operations/domain.status', 'operate/mail'],
  ['domain not verified', 'operations/domain.status', 'operate/trouble', 'operations/domain.add'],
  ['bounce handling hard soft', 'help/clean-lists', 'events/message.bounced', 'operate/mail'],
  [
    'how do i remove someone from the suppression list',
    'help/clean-lists',
    'operations/suppression.list',
  ],
  ['list-unsubscribe one click header', 'help/topics-and-consent', 'guides/send-from-your-code'],
  ['double opt in api', 'help/topics-and-consent'],
  ['store proof of consent ip timestamp', 'help/topics-and-consent'],
  ['gdpr delete contact', 'help/one-person', 'operations/contact.erase'],
  ['export all data of one person', 'help/one-person', 'operations/contact.export'],
  ['send transactional email', 'guides/send-from-your-code', 'operations/email.send'],
  [
    'transactional vs marketing, does unsubscribe block receipts?',
    'help/topics-and-consent',
    'guides/send-from-your-code',
    'operations/email.send',
  ],
  [
    'template variables handlebars',
    'help/personalise',
    'help/handlebars',
    'operations/template.save',
  ],
  ['merge tag fallback if first name empty', 'help/personalise', 'operations/template.save'],
  ['liquid or handlebars?', 'help/personalise', 'help/handlebars', 'operations/template.save'],
  ['attachments in api send', 'guides/send-from-your-code', 'operations/email.send'],
  ['schedule campaign timezone', 'help/send-campaigns', 'operations/campaign.deploy'],
  [
    'cancel scheduled campaign endpoint',
    'operations/campaign.unschedule',
    'operations/campaign.cancel',
    'help/send-campaigns',
  ],
  ['segment query syntax', 'help/filters'],
  ['AND OR nested segment filter json', 'help/filters'],
  ['custom fields types', 'operations/contact.fields', 'help/filters', 'help/importing'],
  ['track event from my app', 'help/own-events', 'operations/contact.track'],
  [
    'trigger automation from api',
    'help/automations',
    'operations/sequence.enrol',
    'help/own-events',
  ],
  ['automation wait step minutes', 'help/automations', 'operations/sequence.save'],
  ['embed form in react', 'help/forms'],
  ['form spam captcha honeypot', 'help/forms'],
  ['CORS error when posting form from my domain', 'help/forms', 'errors/forbidden_origin'],
  ['which sms gateways are supported', 'operate/sms-providers'],
  ['sms stop keyword handling', 'help/topics-and-consent', 'operate/sms-providers'],
  [
    'inbound sms webhook',
    'events/message.replied',
    'operations/reply.list',
    'operate/sms-providers',
  ],
  ['webhook retries how many times', 'guides/webhooks', 'help/receiving-webhooks'],
  ['local webhook testing', 'guides/webhooks', 'help/receiving-webhooks', 'help/testing'],
  ['sandbox mode no real mail', 'help/testing'],
  ['openapi spec download', 'index', 'guides/sdks'],
  ['python sdk', 'guides/sdks', 'guides/quick-start'],
  ['bulk import 200k contacts api', 'help/importing', 'operations/import.create'],
  ['import job status', 'operations/import.get', 'help/importing'],
  ['error codes list', 'guides/errors'],
  ['open tracking off', 'help/campaign-results', 'operations/business.save'],
]

function pathsOf(question: string): string[] {
  return search(index, question).map(({ url }) => {
    const [page = ''] = url.replace('/docs/reference', '/docs/index').split('#')
    return page.slice('/docs/'.length)
  })
}

test('the page that answers a question is the first or second that is found', () => {
  const missed = questions.flatMap(([question, ...pages]) => {
    const found = pathsOf(question)
    return found.slice(0, 2).some((path) => pages.includes(path))
      ? []
      : [`${question}: ${found.slice(0, 6).join(', ')}`]
  })
  assert.equal(questions.length, 60)
  assert.ok(missed.length <= 6, missed.join('\n'))
})

test('each page of the answers exists', () => {
  const existing = new Set(
    shelvesOf(catalog, freshSite).flatMap(({ chapters }) =>
      chapters.flatMap(({ pages }) => pages.map(({ path }) => path)),
    ),
  )
  const missing = questions.flatMap(([, ...pages]) => pages.filter((page) => !existing.has(page)))
  assert.deepEqual(missing, [])
})

test('a long or empty query finds a bounded number of pages', () => {
  assert.equal(pathsOf('').length, 0)
  assert.ok(pathsOf('contact '.repeat(5000)).length <= mostHits)
})

test('words that every object has as names are looked for like others', () => {
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    assert.ok(Array.isArray(search(index, word)), word)
  }
})
