/** Numbers in the pages for developers are those of the code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from 'crier-server/config.ts'
import { keyLifetimeMs } from 'crier-server/core/idempotency.ts'
import { defaultLimit, defaultPageBytes, mostLimit } from 'crier-server/core/paging.ts'
import { eventsKeptDays } from 'crier-server/events/retention.ts'
import { days, hours, minutes, seconds } from 'crier-server/lib/time/clock.ts'
import { mailFieldLimits } from 'crier-server/messages/mail-fields.ts'
import { mostInBatch } from 'crier-server/messages/send-batch.ts'
import { keyLimits, keyPattern } from 'crier-server/oauth/api-keys/api-key.ts'
import { refreshLifetime } from 'crier-server/oauth/model/grant.ts'
import { accessTokenSeconds } from 'crier-server/oauth/token/access-tokens.ts'
import { mostReplayed } from 'crier-server/webhooks/delivery/replay-range.ts'
import { maxAttempts, retryDelays } from 'crier-server/webhooks/delivery/schedule.ts'
import { deliveryLimits } from 'crier-server/webhooks/model/webhook.ts'
import { catalog } from '../operations/support/testbed.ts'
import { textOf } from './fences.ts'

const count = (n: number) => n.toLocaleString('en-GB')
const megabytes = (n: number) => n / 1024 / 1024

const upsert = catalog.find(({ name }) => name === 'contact.upsert')
const { maxLength } = (upsert?.input.properties['idempotency_key'] ?? {}) as { maxLength?: number }

/** `30 seconds, 5 minutes, 30 minutes, 2, 6 and 12 hours`. */
function spelledDelays(): string {
  const parts = retryDelays.map((ms) => {
    if (ms < minutes(1)) return `${ms / seconds(1)} seconds`
    return ms < hours(1) ? `${ms / minutes(1)} minutes` : String(ms / hours(1))
  })
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)} hours`
}

const spelled = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

const facts: Record<string, string[]> = {
  'docs/reference/guides/idempotency.md': [
    `1 to ${maxLength} printable ASCII characters`,
    `It holds for ${keyLifetimeMs / hours(1)} hours within a business`,
  ],
  'docs/reference/guides/limits.md': [
    `${limits.requestsPerMinute} in any 60 seconds`,
    `${limits.callBytes / 1024} KiB, or what its page says`,
    `${megabytes(limits.toolCallBytes)} MiB`,
    `${megabytes(limits.emailCallBytes)} MiB; attachments ${megabytes(limits.emailAttachmentBytes)} MiB together, at most ${limits.emailAttachments}`,
    `as many as fit ${defaultPageBytes / 1000} kB, up to ${defaultLimit}; or \`limit\`, up to ${mostLimit}`,
    `Send up to ${mostInBatch} messages in one call`,
  ],
  'docs/reference/guides/cursors.md': [
    `as many as fit ${defaultPageBytes / 1000} kB, up to ${defaultLimit} a page; or as many as \`limit\` says, up to ${mostLimit}`,
    `Events are kept ${eventsKeptDays} days`,
  ],
  'docs/reference/guides/errors.md': [
    `More than ${limits.requestsPerMinute} requests in a minute with one token`,
  ],
  'docs/reference/errors/rate_limited.md': [
    `More than ${limits.requestsPerMinute} requests within 60 seconds with one token or key`,
  ],
  'docs/reference/errors/cursor_expired.md': [`older than the ${eventsKeptDays} days`],
  'docs/reference/errors/unauthorized.md': [
    accessTokenSeconds === hours(1) / seconds(1) ? 'it lasts an hour' : 'another lifetime',
  ],
  'docs/reference/errors/conflict.md': [
    `used for another call within ${keyLifetimeMs / hours(1)} hours`,
  ],
  'docs/reference/guides/authentication.md': [
    `good for ${accessTokenSeconds} seconds, and \`refresh_token\`, good for ${refreshLifetime / days(1)} days from its last use`,
  ],
  'docs/reference/guides/send-from-your-code.md': [
    `up to ${mailFieldLimits.recipients} addresses in \`to\``,
    `attachments of ${megabytes(limits.emailAttachmentBytes)} MB together`,
    `${count(keyLimits.defaultRecipientsPerDay)} at first`,
    `It makes ${limits.requestsPerMinute} requests in any minute`,
    keyPattern.source.slice(1, -1),
  ],
  'docs/reference/guides/webhooks.md': [
    `Any 2xx within ${deliveryLimits.answerMs / seconds(1)} seconds`,
    'refuse what is more than 300 seconds old or ahead',
  ],
  'docs/guides/receiving-webhooks.md': [
    `within ${deliveryLimits.answerMs / seconds(1)} seconds`,
    `sent again after ${spelledDelays()}`,
    `up to ${spelled[maxAttempts]} times in all`,
    `the first of ${spelled[maxAttempts]} attempts`,
    `at most ${count(mostReplayed)} events a call`,
    `sent again: ${eventsKeptDays} days`,
  ],
}

for (const [page, sentences] of Object.entries(facts)) {
  test(`the numbers of ${page} are those of the code`, () => {
    const text = textOf(page).replaceAll(/\s+/g, ' ')
    const missing = sentences.filter((sentence) => !text.includes(sentence))
    assert.deepEqual(missing, [])
  })
}

test('the schedule of webhooks in the reference is that of the code', () => {
  const text = textOf('docs/reference/guides/webhooks.md')
  const rows = [...text.matchAll(/^\| (\d) \| (.+) \|$/gm)].map(([, , delay = '']) => delay)
  assert.equal(rows.length, maxAttempts)
  const units = { second: seconds(1), minute: minutes(1), hour: hours(1) }
  const stated = rows.slice(1).map((delay) => {
    const [, n, unit = ''] = /^(\d+) (second|minute|hour)s?$/.exec(delay) ?? []
    return Number(n) * (units[unit as keyof typeof units] ?? Number.NaN)
  })
  assert.deepEqual(stated, [...retryDelays])
})

test('the defaults of the SDK in its readme are those of its code', () => {
  const readme = textOf('sdk/README.md')
  const sources = ['sdk/src/calls/rest.ts', 'sdk/src/transport/http.ts', 'sdk/src/client.ts']
  const source = sources.map(textOf).join('\n')
  const [, retries] = /retries = (\d+), signal/.exec(source) ?? []
  const [, timeout] = /timeout: given\.timeout \?\? ([\d_]+)/.exec(source) ?? []
  const [, longestWait] = /const longestWait = (\d+)/.exec(source) ?? []
  assert.match(readme, new RegExp(`\\| \`retries\` +\\| ${retries} `))
  assert.match(
    readme,
    new RegExp(`\\| \`timeout\` +\\| ${count(Number(timeout?.replaceAll('_', '')))} `),
  )
  assert.equal(longestWait, '60')
  assert.match(readme, /`Retry-After` of more than a minute is thrown/)
  const [, passing = ''] = /const passing = new Set\(\[([\d, ]+)\]\)/.exec(source) ?? []
  assert.ok(readme.includes(`after ${passing.replace(/, (\d+)$/, ' and $1')}`), passing)
})
