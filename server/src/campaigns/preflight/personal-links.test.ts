import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledInHost, personalHostsIn } from './personal-links.ts'

test('an address that is filled in for each recipient is found with its host', () => {
  const found: [string, string[]][] = [
    ['<img src="https://pix.example/a.gif?m={{contact.email}}">', ['pix.example']],
    ['<a href="https://Shop.example/{% if contact.name %}x{% endif %}">', ['shop.example']],
    ['<a href="//pix.example/?{{ contact.phone }}">', ['pix.example']],
    ['<a href="https://{{ contact.first_name }}.pix.example">', [filledInHost]],
    ["{% assign url = 'https://pix.example/?' | append: contact.email %}", ['pix.example']],
    ['see https://pix.example/{{ contact.email }} now', ['pix.example']],
    ['<a href="https://shop.example/news">{{ contact.name }}</a>', []],
    ['<a href="{{ unsubscribe_url }}">', []],
    ['https://shop.example/ and {{ contact.name }}', []],
  ]
  for (const [text, hosts] of found) assert.deepEqual(personalHostsIn(text), hosts, text)
})

test('a text of slashes takes linear time', () => {
  personalHostsIn('/'.repeat(200_000))
})
