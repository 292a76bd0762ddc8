import { type GalleryMail, optionalSlot, panel, requiredSlot, sender } from '../mail.ts'

export const event: GalleryMail = {
  key: 'event',
  purpose: 'event',
  kind: 'marketing',
  slots: [
    requiredSlot('event', 'name', [
      'Name of the event',
      'Name der Veranstaltung',
      'Nom de l’événement',
    ]),
    requiredSlot('date', 'date', ['Date', 'Datum', 'Date']),
    requiredSlot('time', 'time', ['Time', 'Uhrzeit', 'Heure']),
    requiredSlot('place', 'place', ['Place', 'Ort', 'Lieu']),
    optionalSlot('sign_up_url', 'url', [
      'Link to sign up',
      'Link zur Anmeldung',
      'Lien d’inscription',
    ]),
    optionalSlot('programme', 'text', ['Programme', 'Programm', 'Programme']),
    optionalSlot('price', 'price', ['Price', 'Eintritt', 'Tarif']),
    optionalSlot('reply_by', 'date', ['Sign up by', 'Anmeldeschluss', 'Date limite d’inscription']),
    optionalSlot('email', 'email', [
      'Email for questions',
      'E-Mail für Fragen',
      'E-mail de contact',
    ]),
    sender,
  ],
  words: {
    en: {
      title: 'Event invitation',
      about: 'What, when and where, and a button to sign up.',
      subject: 'You’re invited: [[event]]',
      preview_text: '[[date]], [[time]]. We’d love to see you there.',
      blocks: [
        { type: 'heading', text: '[[event]]' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [{ type: 'text', text: '**When**\n[[date]]\n[[time]]' }],
            [{ type: 'text', text: '**Where**\n[[place]]' }],
          ],
        },
        { type: 'button', text: 'Save my seat', url: '[[sign_up_url]]' },
        {
          type: 'text',
          text: 'We’re getting together, and it would be nicer with you. Come along, and bring somebody who’d enjoy it.',
        },
        { type: 'quote', text: '**What’s on**\n[[programme]]' },
        { type: 'divider' },
        { type: 'list', items: ['Price: [[price]]'] },
        { type: 'list', items: ['Please let us know by [[reply_by]].'] },
        { type: 'list', items: ['Questions? Write to [[email]].'] },
        { type: 'text', text: 'See you there,\n[[sender]]' },
      ],
    },
    de: {
      title: 'Einladung',
      about: 'Was, wann und wo, mit einer Schaltfläche zur Anmeldung.',
      subject: 'Einladung: [[event]]',
      preview_text: '[[date]], [[time]]. Wir freuen uns auf Sie.',
      blocks: [
        { type: 'heading', text: '[[event]]' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [{ type: 'text', text: '**Wann**\n[[date]]\n[[time]]' }],
            [{ type: 'text', text: '**Wo**\n[[place]]' }],
          ],
        },
        { type: 'button', text: 'Jetzt anmelden', url: '[[sign_up_url]]' },
        {
          type: 'text',
          text: 'Wir laden Sie herzlich ein. Kommen Sie vorbei, und bringen Sie gern mit, wer Freude daran hat.',
        },
        { type: 'quote', text: '**Das erwartet Sie**\n[[programme]]' },
        { type: 'divider' },
        { type: 'list', items: ['Eintritt: [[price]]'] },
        { type: 'list', items: ['Bitte geben Sie uns bis [[reply_by]] Bescheid.'] },
        { type: 'list', items: ['Noch Fragen? Schreiben Sie an [[email]].'] },
        { type: 'text', text: 'Bis bald\n[[sender]]' },
      ],
    },
    fr: {
      title: 'Invitation',
      about: 'Quoi, quand et où, avec un bouton pour s’inscrire.',
      subject: 'Invitation : [[event]]',
      preview_text: '[[date]], [[time]]. On vous attend !',
      blocks: [
        { type: 'heading', text: '[[event]]' },
        {
          type: 'columns',
          ...panel,
          columns: [
            [{ type: 'text', text: '**Quand**\n[[date]]\n[[time]]' }],
            [{ type: 'text', text: '**Où**\n[[place]]' }],
          ],
        },
        { type: 'button', text: 'Je m’inscris', url: '[[sign_up_url]]' },
        {
          type: 'text',
          text: 'Nous serions très heureux de vous compter parmi nous. Venez comme vous êtes, et n’hésitez pas à amener quelqu’un.',
        },
        { type: 'quote', text: '**Au programme**\n[[programme]]' },
        { type: 'divider' },
        { type: 'list', items: ['Tarif : [[price]]'] },
        { type: 'list', items: ['Merci de nous répondre d’ici au [[reply_by]].'] },
        { type: 'list', items: ['Une question ? Écrivez à [[email]].'] },
        { type: 'text', text: 'À très bientôt,\n[[sender]]' },
      ],
    },
  },
}
