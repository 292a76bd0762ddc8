import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessTargets } from './guess.ts'
import { emptyProfile } from './profile.ts'

const guess = (...columns: string[]) => {
  const profile = { ...emptyProfile(), filled: 3 }
  const profiles = columns.map(() => profile)
  return guessTargets(columns, profiles, null)
}

test('columns with the common names of other languages get the same targets as the English ones', () => {
  for (const columns of [
    ['Email', 'First Name', 'Last Name', 'Tags'],
    ['E-Mail-Adresse', 'Vorname', 'Nachname', 'Schlagwörter'],
    ['Adresse e-mail', 'Prénom', 'Nom de famille', 'Étiquettes'],
    ['Correo electrónico', 'Nombre', 'Apellidos', 'Etiquetas'],
    ['Adres e-mail', 'Imię', 'Nazwisko', 'tags'],
  ]) {
    assert.deepEqual(guess(...columns), ['email', 'first_name', 'last_name', 'tags'], columns[0])
  }
})

test('a second column of one meaning, and a name in no list, become fields of their own', () => {
  assert.deepEqual(guess('Vorname', 'First name', 'constructor', 'Ort'), [
    'first_name',
    'attributes.first_name',
    'attributes.constructor',
    'attributes.ort',
  ])
})
