import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf, pageOf } from './page.ts'

test('what is within an element is counted, without what nobody sees', () => {
  const { root, inside } = pageOf(
    '<div>Two words<script>x</script><p hidden>no</p><a href="https://facebook.com/a">link</a><img src="a"><img src="b" width="1"></div>',
    false,
  )
  assert.deepEqual(inside(root), { words: 8, links: 1, profiles: 1, images: 1, tables: 0 })
})

test('an address of a network is known by its host alone', () => {
  assert.equal(networkOf('https://www.instagram.com/crier'), 'instagram')
  assert.equal(networkOf('https://evil.example/instagram.com'), undefined)
  assert.equal(networkOf('https://instagram.com.evil.example/'), undefined)
  assert.equal(networkOf('https://constructor/'), undefined)
})

test('a page of 150 levels is read, and one of more is refused', () => {
  assert.equal(pageOf(`${'<div>'.repeat(149)}x`, false).root.children.length, 1)
  assert.throws(() => pageOf(`${'<div>'.repeat(151)}x`, false), /nested too deeply/)
})
