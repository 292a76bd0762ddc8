import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { zonesOfNumber } from './phone-zones.ts'

test('a phone number of a country with one time zone has that zone', () => {
  assert.deepEqual(zonesOfNumber('+33612345678'), ['Europe/Paris'])
  assert.deepEqual(zonesOfNumber('+9779812345678'), ['Asia/Katmandu'])
})

test('a phone number whose area code lies in one time zone has that zone', () => {
  assert.deepEqual(zonesOfNumber('+12125550100'), ['America/New_York'])
  assert.deepEqual(zonesOfNumber('+13105550100'), ['America/Los_Angeles'])
  assert.deepEqual(zonesOfNumber('+18085550100'), ['Pacific/Honolulu'])
  assert.deepEqual(zonesOfNumber('+5511987654321'), ['America/Sao_Paulo'])
})

test('a phone number whose area code spans several time zones has all of them', () => {
  assert.deepEqual(zonesOfNumber('+12195550100'), ['America/Chicago', 'America/New_York'])
  assert.deepEqual(zonesOfNumber('+5581987654321'), ['America/Noronha', 'America/Sao_Paulo'])
})

test('a number in an overlay area code has the same time zones as the code it overlays', () => {
  assert.deepEqual(zonesOfNumber('+13645550100'), zonesOfNumber('+12705550100'))
  assert.deepEqual(zonesOfNumber('+19865550100'), zonesOfNumber('+12085550100'))
})

test('a number whose area code names no region has all time zones of the country', () => {
  const zones = zonesOfNumber('+18005550100')
  for (const zone of ['America/New_York', 'America/Adak', 'Pacific/Honolulu']) {
    assert.ok(zones.includes(zone), zone)
  }
  assert.ok(!zones.includes('Pacific/Guam'), 'Guam has an area code of its own')
})

test('a Russian mobile number can be in any zone from Kaliningrad to Kamchatka', () => {
  const zones = zonesOfNumber('+79161234567')
  assert.ok(zones.includes('Europe/Kaliningrad') && zones.includes('Asia/Kamchatka'))
  assert.ok(!zones.includes('Asia/Almaty'), 'Kazakhstan shares the calling code alone')
  assert.ok(zonesOfNumber('+77012345678').includes('Asia/Almaty'))
})

test('a phone number of no country has no time zone', () => {
  assert.deepEqual(zonesOfNumber('+80012345678'), [])
  assert.deepEqual(zonesOfNumber('+883510012345'), [])
  assert.deepEqual(zonesOfNumber('nonsense'), [])
})

test('every country with phone numbers has a time zone, and each zone is a known one', () => {
  const countries = getCountries()
  assert.ok(countries.length > 200)
  for (const country of countries) {
    const number = getExampleNumber(country, examples)
    const zones = zonesOfNumber(number?.number ?? '')
    assert.ok(zones.length > 0, country)
    for (const timeZone of zones) new Intl.DateTimeFormat('en', { timeZone })
  }
})
