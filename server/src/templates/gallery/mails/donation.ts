import { type GalleryMail, optionalSlot, requiredSlot, sender } from '../mail.ts'

export const donation: GalleryMail = {
  key: 'donation',
  purpose: 'donation',
  kind: 'marketing',
  slots: [
    requiredSlot('cause', 'name', [
      'What the money is for',
      'Wofür das Geld ist',
      'À quoi servent les dons',
    ]),
    requiredSlot('goal', 'price', ['The goal', 'Das Ziel', 'L’objectif']),
    requiredSlot('donate_url', 'url', ['Link to donate', 'Link zum Spenden', 'Lien pour donner']),
    optionalSlot('deadline', 'date', ['By when', 'Bis wann', 'Date limite']),
    optionalSlot('amount_1', 'text', [
      'What a small gift does',
      'Was eine kleine Spende bewirkt',
      'Ce que permet un petit don',
    ]),
    optionalSlot('amount_2', 'text', [
      'What a larger gift does',
      'Was eine größere Spende bewirkt',
      'Ce que permet un don plus important',
    ]),
    optionalSlot('tax', 'text', ['Tax', 'Steuer', 'Avantage fiscal']),
    optionalSlot('story', 'text', [
      'What was achieved',
      'Was schon erreicht ist',
      'Ce qui a été accompli',
    ]),
    sender,
  ],
  words: {
    en: {
      title: 'Appeal for donations',
      about: 'A sober appeal with a goal, and thanks to those who gave.',
      subject: 'Will you help us with [[cause]]?',
      preview_text: 'What we need, and what your gift does.',
      blocks: [
        { type: 'text', text: 'Dear {{ contact.first_name | default: "friend" }},' },
        {
          type: 'text',
          text: 'We’re asking for your help with **[[cause]]**. Our goal is **[[goal]]**, and every amount brings us closer.',
        },
        { type: 'button', text: 'Give now', url: '[[donate_url]]' },
        { type: 'list', items: ['[[amount_1]]'] },
        { type: 'list', items: ['[[amount_2]]'] },
        { type: 'text', text: 'We need it by [[deadline]].' },
        { type: 'text', text: '[[tax]]' },
        { type: 'quote', text: '**What we’ve done so far**\n[[story]]' },
        {
          type: 'text',
          text: 'If you’ve given already: thank you, truly. And if you can’t this year, that’s perfectly all right.',
        },
        { type: 'spacer', height: 8 },
        { type: 'text', text: 'With gratitude,\n[[sender]]' },
      ],
    },
    de: {
      title: 'Spendenaufruf',
      about: 'Ein sachlicher Aufruf mit Ziel und einem Dank an alle, die schon gespendet haben.',
      subject: 'Helfen Sie mit: [[cause]]',
      preview_text: 'Was fehlt und was Ihre Spende bewirkt.',
      blocks: [
        { type: 'text', text: 'Liebe Freundinnen und Freunde,' },
        {
          type: 'text',
          text: 'heute bitten wir Sie um Ihre Unterstützung: **[[cause]]**. Unser Ziel sind **[[goal]]**, und jeder Betrag hilft.',
        },
        { type: 'button', text: 'Jetzt spenden', url: '[[donate_url]]' },
        { type: 'list', items: ['[[amount_1]]'] },
        { type: 'list', items: ['[[amount_2]]'] },
        { type: 'text', text: 'Das Geld brauchen wir bis [[deadline]].' },
        { type: 'text', text: '[[tax]]' },
        { type: 'quote', text: '**Das ist schon geschafft**\n[[story]]' },
        {
          type: 'text',
          text: 'Allen, die bereits gespendet haben, danken wir von Herzen. Und wenn es in diesem Jahr nicht geht, haben wir volles Verständnis.',
        },
        { type: 'spacer', height: 8 },
        { type: 'text', text: 'Mit herzlichem Dank\n[[sender]]' },
      ],
    },
    fr: {
      title: 'Appel aux dons',
      about: 'Un appel sobre, un objectif, et un merci à ceux qui ont déjà donné.',
      subject: 'Aidez-nous : [[cause]]',
      preview_text: 'Ce qu’il manque, et ce que permet votre don.',
      blocks: [
        { type: 'text', text: 'Chère amie, cher ami,' },
        {
          type: 'text',
          text: 'Nous avons besoin de vous pour **[[cause]]**. Il nous faut réunir **[[goal]]** : chaque don compte, même modeste.',
        },
        { type: 'button', text: 'Je fais un don', url: '[[donate_url]]' },
        { type: 'list', items: ['[[amount_1]]'] },
        { type: 'list', items: ['[[amount_2]]'] },
        { type: 'text', text: 'La collecte se termine le [[deadline]].' },
        { type: 'text', text: '[[tax]]' },
        { type: 'quote', text: '**Ce qui a déjà été fait**\n[[story]]' },
        {
          type: 'text',
          text: 'Vous avez déjà donné ? Merci du fond du cœur. Et si ce n’est pas possible cette année, nous le comprenons très bien.',
        },
        { type: 'spacer', height: 8 },
        { type: 'text', text: 'Avec toute notre gratitude,\n[[sender]]' },
      ],
    },
  },
}
