import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsedFeed } from '../../../../../tests/support/clients/parsed-feed.ts'
import type { Archive } from '../../../accounts/businesses/business.ts'
import { newId } from '../../../core/ids.ts'
import { feedOf } from './feed.ts'

const profile: Archive = {
  name: 'Shop',
  language: 'en',
  colour: null,
  timeZone: 'UTC',
  postalAddress: null,
  title: null,
  description: null,
  formId: null,
  settingsVersion: 1,
  changedAt: new Date(),
}

test('characters that XML cannot have are left out of a feed', () => {
  const moment = new Date()
  const hostile = {
    id: newId('campaign'),
    subject: 'a\u0000\u0008\ud800\uffffb',
    excerpt: '\u001f😀',
    sentAt: moment,
    completedAt: moment,
  }
  const url = 'https://crier.test/archive/bus_1'
  const channel = { archive: profile, url, lang: undefined, title: 't', self: 's' }
  const [item] = parsedFeed(feedOf([hostile], { ...channel, changedAt: moment })).items
  assert.deepEqual([item?.['title'], item?.['description']], ['a\ufffdb', '😀'])
})
