import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nearest } from './nearest.ts'

const names = ['contact.upsert', 'contact.list', 'email.send', 'PORT', 'POSTAL']

test('a typing mistake finds the name that was meant', () => {
  assert.equal(nearest('contact.upsrt', names), 'contact.upsert')
  assert.equal(nearest('Email.Sent', names), 'email.send')
  assert.equal(nearest('PROT', ['PORT', 'HOST']), undefined)
  assert.equal(nearest('POTR', ['PORTS']), undefined)
  assert.equal(nearest('PORTT', names), 'PORT')
})

test('no name is suggested for a dissimilar or overlong name', () => {
  assert.equal(nearest('weather.tomorrow', names), undefined)
  assert.equal(nearest('', names), undefined)
  assert.equal(nearest('contact.list', []), undefined)
  assert.equal(nearest(`contact.list${' '.repeat(60)}`, names), undefined)
})
