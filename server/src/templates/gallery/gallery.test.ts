/** The mails of the gallery, as they are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { galleryMail, galleryMails, mailsFor } from './gallery.ts'
import { type GalleryWords, galleryLanguages } from './mail.ts'

const slotPattern = /\[\[([a-z][a-z_\d]*)\]\]/g

const slotsIn = (words: unknown): string[] => {
  const found = JSON.stringify(words).matchAll(slotPattern)
  return [...new Set([...found].map((match) => match[1] ?? ''))].sort()
}

const sequenceOf = ({ blocks }: GalleryWords) => blocks.map(({ type }) => type)

test('each mail is found by its key and its purpose', () => {
  for (const mail of galleryMails) {
    assert.equal(galleryMail(mail.key), mail)
    assert.ok(mailsFor(mail.purpose).includes(mail))
  }
  assert.equal(galleryMail('nothing'), undefined)
  assert.equal(new Set(galleryMails.map(({ key }) => key)).size, galleryMails.length)
})

for (const mail of galleryMails) {
  test(`${mail.key} has the same slots and blocks in each language, and no other slot`, () => {
    const declared = mail.slots.map(({ name }) => name).sort()
    for (const language of galleryLanguages) {
      const words = mail.words[language]
      assert.deepEqual(slotsIn(words), declared, language)
      assert.deepEqual(sequenceOf(words), sequenceOf(mail.words.en), language)
      const line = `${words.subject} ${words.preview_text}`
      for (const { name, required } of mail.slots) {
        assert.ok(required || !line.includes(`[[${name}]]`), `${name} stands in the subject`)
      }
    }
  })
}
