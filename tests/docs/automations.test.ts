/** Reads the twelve automations of the guide unchanged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { definitionKeys, readDefinition } from 'crier-server/sequences/definition.ts'
import { galleryMail } from 'crier-server/templates/gallery/entries.ts'
import { fencesOf } from './fences.ts'

const gallery = /\{"gallery":"([a-z0-9-]+)"\}/g

test('each of the twelve automations of the guide is one that can be saved', () => {
  const written = fencesOf('docs/guides/automation-examples.md')
    .filter(({ language }) => language === 'json')
    .map(({ code }) => JSON.parse(code))
  assert.equal(written.length, 12)
  for (const { slots: _slots, ...definition } of written) {
    assert.deepEqual(
      Object.keys(definition).filter((key) => !definitionKeys.some((name) => name === key)),
      [],
    )
    const text = JSON.stringify(definition)
    for (const [, key = ''] of text.matchAll(gallery)) assert.ok(galleryMail(key), key)
    const aTemplate = '{"template_id":"tpl_01jd0000000000000000000000"}'
    readDefinition(JSON.parse(text.replace(gallery, aTemplate)))
  }
})
