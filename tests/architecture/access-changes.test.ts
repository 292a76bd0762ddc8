import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'

const sources = path.join(import.meta.dirname, '../../server/src')

/** The statements that write parts of a principal, and whether each is noted for the caches. */
const expected = {
  'accounts/businesses/archive.ts: update businesses set archive_changed_at': 'in no principal',
  'accounts/businesses/brand.ts: update businesses set brand': 'in no principal',
  'accounts/businesses/closing.ts: update businesses set closed_at': 'noted',
  'accounts/businesses/closing.ts: update businesses set updated_at': 'noted',
  'accounts/businesses/closing.ts: update connections set business_ids': 'noted',
  'accounts/businesses/membership-queries.ts: delete from memberships': 'noted',
  'accounts/businesses/membership-queries.ts: insert into memberships': 'noted',
  'accounts/settings/create.ts: update businesses b set time_zone': 'in no principal',
  'accounts/businesses/queries.ts: insert into businesses': 'no caller has it yet',
  'accounts/businesses/twin.ts: insert into businesses': 'no caller has it yet',
  'accounts/businesses/twin.ts: update businesses set created_at': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set archive': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set attention': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set attribution_days': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set colour': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set privacy_url': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set deploy_limit': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set language': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set name': 'noted',
  'accounts/businesses/queries.ts: update businesses set postal_address': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set relay_marketing': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set relay_transactional': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set reply_to': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set retention': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set sender': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set settings_version': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set sms_help': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set sms_sender': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set tier': 'noted',
  'accounts/businesses/queries.ts: update businesses set time_zone': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set track_clicks': 'in no principal',
  'accounts/addresses/change.ts: update connections set revoked_at': 'noted',
  'accounts/identities/holds.ts: update memberships set held_at': 'noted',
  'accounts/identities/holds.ts: update memberships set held_by': 'noted',
  'accounts/factors/require.ts: update businesses set factor_required_from':
    'in the principals of people alone, which are read anew',
  'accounts/businesses/queries.ts: update businesses set track_opens': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set track_transactional': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set tracking': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set two_people': 'in no principal',
  'accounts/businesses/queries.ts: update businesses set utm': 'in no principal',
  // Principals of people signed in to the demo stay cached for seconds at most.
  'closings/delete.ts: delete from businesses': 'nobody reaches a closed one',
  'closings/delete.ts: delete from connections': 'they have ended',
  'contacts/search-index.ts: update businesses set searchable_to': 'in no principal',
  'demo/connecting/connection-queries.ts: insert into connections': 'no caller has it yet',
  'demo/connecting/connection-queries.ts: update connections set last_used_at': 'in no principal',
  'demo/wipe.ts: delete from businesses': 'of the demo alone',
  'oauth/api-keys/key-queries.ts: insert into connections': 'no caller has it yet',
  'oauth/authorize/code-queries.ts: insert into connections': 'no caller has it yet',
  'oauth/api-keys/take-over.ts: update connections set user_id': 'noted',
  'oauth/clients/operate.ts: update connections set revoked_at': 'noted',
  'oauth/connections/connections.ts: update connections set opens_urls': 'in no principal',
  'oauth/connections/connections.ts: update connections set revoked_at': 'noted',
  'oauth/connections/connections.ts: update connections set scopes': 'noted',
  'oauth/connections/recent-use.ts: update connections set last_used_at': 'in no principal',
  'oauth/api-keys/key-queries.ts: update connections set revoked_at': 'noted',
  'oauth/token/refresh-queries.ts: update connections set late_reuses': 'noted where it ends one',
  'oauth/authorize/code-queries.ts: update connections set code_reuses': 'noted where it ends one',
}

test('every SQL statement that writes connections, memberships or businesses is in the reviewed list', async () => {
  const writes =
    /\b(?:(?:insert into|delete from)\s+(?:connections|memberships|businesses)\b|update\s+(?:connections|memberships|businesses)\s+(?:\w+\s+)?set\s+\w+)/g
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: sources })) {
    if (file.endsWith('.test.ts')) continue
    const text = readFileSync(path.join(sources, file), 'utf8')
    for (const [write] of text.matchAll(writes))
      found.push(`${file}: ${write.replace(/\s+/g, ' ')}`)
  }
  assert.deepEqual(found.sort(), Object.keys(expected).sort())
})
