/** The SDK with the real server: the same scenario as in its own tests with a small one. */
import { test } from 'node:test'
import { revokeConnection } from 'crier-server/oauth/connections/connections.ts'
import { allConnections } from 'crier-server/oauth/connections/overview.ts'
import { livesAConnection } from '../../sdk/tests/scenario.ts'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { startService } from '../support/processes/service.ts'

test('a connection of the SDK follows the contract from sign-in to revocation', async () => {
  const { url, db, close } = await startService()
  const email = newPerson()
  await livesAConnection({
    url,
    agree: (page) => approveAndReturn(page, { email }),
    async revoke() {
      const now = new Date()
      for (const { id } of await allConnections(db, now)) {
        await revokeConnection(db, { connectionId: id, by: 'user', now })
      }
    },
  })
  await close()
})
