import { discountCode, type GalleryMail, optionalSlot, panel, requiredSlot } from '../mail.ts'

export const sale: GalleryMail = {
  key: 'sale',
  purpose: 'sale',
  kind: 'marketing',
  slots: [
    requiredSlot('percent', 'percent', [
      'Discount, such as 20%',
      'Rabatt, z. B. 20 %',
      'Remise, par ex. 20 %',
    ]),
    optionalSlot('goods', 'text', ['What is reduced', 'Was reduziert ist', 'Articles concernés']),
    discountCode(false),
    optionalSlot('shop_url', 'url', ['Link to the shop', 'Link zum Shop', 'Lien vers la boutique']),
    optionalSlot('starts', 'date', ['First day', 'Erster Tag', 'Premier jour']),
    optionalSlot('ends', 'date', ['Last day', 'Letzter Tag', 'Dernier jour']),
    optionalSlot('exceptions', 'text', ['Exceptions', 'Ausnahmen', 'Exclusions']),
  ],
  words: {
    en: {
      title: 'Sale',
      about: 'A discount with its code and its last day.',
      subject: '[[percent]] off at {{ business.name }}',
      preview_text: 'Here is how you get it.',
      blocks: [
        { type: 'view_link' },
        { type: 'heading', text: '[[percent]] off, just like that' },
        {
          type: 'text',
          text: 'We’re having a sale, and you’re invited. Have a look around: something you’ve had your eye on may well be in it.',
        },
        { type: 'code', text: 'Your code', code: '[[code]]' },
        { type: 'button', text: 'Shop the sale', url: '[[shop_url]]' },
        { type: 'list', items: ['**What’s reduced:** [[goods]]'], ...panel },
        { type: 'list', items: ['**Starts:** [[starts]]'], ...panel },
        { type: 'list', items: ['**Ends:** [[ends]]'], ...panel },
        { type: 'list', items: ['**Not included:** [[exceptions]]'], ...panel },
      ],
    },
    de: {
      title: 'Rabattaktion',
      about: 'Ein Rabatt mit Code und letztem Tag.',
      subject: '[[percent]] Rabatt bei {{ business.name }}',
      preview_text: 'So kommen Sie an Ihren Preisvorteil.',
      blocks: [
        { type: 'view_link' },
        { type: 'heading', text: '[[percent]] Rabatt für Sie' },
        {
          type: 'text',
          text: 'Da lohnt sich das Stöbern: Vielleicht ist ja genau das Stück dabei, mit dem Sie schon länger liebäugeln.',
        },
        { type: 'code', text: 'Ihr Code', code: '[[code]]' },
        { type: 'button', text: 'Angebote ansehen', url: '[[shop_url]]' },
        { type: 'list', items: ['**Reduziert:** [[goods]]'], ...panel },
        { type: 'list', items: ['**Beginn:** [[starts]]'], ...panel },
        { type: 'list', items: ['**Letzter Tag:** [[ends]]'], ...panel },
        { type: 'list', items: ['**Ausgenommen:** [[exceptions]]'], ...panel },
      ],
    },
    fr: {
      title: 'Promotion',
      about: 'Une remise, son code et son dernier jour.',
      subject: '[[percent]] de remise chez {{ business.name }}',
      preview_text: 'Voici comment en profiter.',
      blocks: [
        { type: 'view_link' },
        { type: 'heading', text: '[[percent]] de remise : faites-vous plaisir' },
        {
          type: 'text',
          text: 'Voilà une bonne raison de craquer. Venez faire un tour : l’article que vous aviez repéré en fait peut-être partie.',
        },
        { type: 'code', text: 'Votre code', code: '[[code]]' },
        { type: 'button', text: 'J’en profite', url: '[[shop_url]]' },
        { type: 'list', items: ['**Articles concernés :** [[goods]]'], ...panel },
        { type: 'list', items: ['**Début :** [[starts]]'], ...panel },
        { type: 'list', items: ['**Dernier jour :** [[ends]]'], ...panel },
        { type: 'list', items: ['**Hors promotion :** [[exceptions]]'], ...panel },
      ],
    },
  },
}
