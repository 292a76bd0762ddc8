import { test } from 'node:test'
import { fakeServer } from './fake-server.ts'
import { browse } from './person.ts'
import { livesAConnection } from './scenario.ts'

test('a connection goes through its whole life as the contract describes', async () => {
  const server = await fakeServer()
  await livesAConnection({
    url: server.url,
    agree: browse,
    revoke: () => Promise.resolve(server.oauth.revokeAll()),
  })
  await server.close()
})
