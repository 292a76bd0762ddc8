/** The size limit of a body: 256 KiB, or more if the definition of the operation says so. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  catalog,
  type OwnTestbed,
  openTestbed,
} from '../../../../tests/operations/support/testbed.ts'
import type { RestCaller } from '../../../../tests/support/clients/rest-caller.ts'
import { limits } from '../../config.ts'
import { inUnits } from '../../lib/text/byte-units.ts'
import { allRoutes } from '../../operations/routes.ts'

const larger = {
  'contact.import': 4,
  'suppression.import': 4,
  'contact.track': 4,
  'email.send': 15,
  'email.send_batch': 4,
  'sms.send_batch': 4,
  'campaign.generate': 2,
  'campaign.save': 2,
  'template.save': 2,
  'template.convert': 2,
  'template.preview': 2,
  'image.upload': 15,
  'contact.upsert': 1,
  'import.create': 2 + 1 / 16,
  'form.save': 1,
}

let testbed: OwnTestbed
let caller: RestCaller
before(async () => {
  testbed = await openTestbed({ idle: true })
  caller = await testbed.restCaller({ businesses: [await testbed.newBusiness()] })
})
after(() => testbed.close())

test('only the listed operations accept more than 256 KiB', () => {
  assert.equal(limits.callBytes, 256 * 1024)
  const found = catalog.flatMap(({ name, bodyBytes }) => (bodyBytes ? [[name, bodyBytes]] : []))
  assert.deepEqual(
    Object.fromEntries(found),
    Object.fromEntries(Object.entries(larger).map(([name, mb]) => [name, mb * 1024 * 1024])),
  )
})

for (const route of allRoutes(catalog).filter(({ fieldsIn }) => fieldsIn === 'body')) {
  const bytes = route.operation.bodyBytes ?? limits.callBytes
  test(`${route.method} ${route.path} accepts ${inUnits(bytes)}, and refuses one byte more`, async () => {
    const path = route.path.replace(/:[a-z_]+/g, 'none')
    // No operation has this field: a body that fits is refused for it, and nothing is written.
    const body = JSON.stringify({ no_such_field: true })
    const send = (size: number) =>
      caller.send(route.method, path, { body: body + ' '.repeat(size - body.length) })
    const fits = await send(bytes)
    assert.equal(fits.status, 400, fits.text)
    const over = await send(bytes + 1)
    assert.deepEqual([over.status, over.body['code']], [413, 'too_large'])
    const message = `The body is larger than the ${inUnits(bytes)} that this route takes.`
    assert.equal(over.body['message'], message)
  })
}

test('a request without a token is refused before its body is read, at both entry points', async () => {
  for (const path of ['/v1/contacts/import', '/mcp']) {
    const answer = await fetch(testbed.service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ' '.repeat(limits.toolCallBytes + 1),
    })
    assert.equal(answer.status, 401, path)
  }
})
