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
        { type: 'heading', text: '[[percent]] off, just like that' },
        {
          type: 'text',
          text: 'Our sale is on, and you’re invited. Have a look around: perhaps what you had your eye on is among it.',
        },
        { type: 'code', text: 'Your code', code: '[[code]]' },
        { type: 'button', text: 'Shop the sale', url: '[[shop_url]]' },
        { type: 'text', text: '**What’s reduced:** [[goods]]', ...panel },
        { type: 'text', text: '**Starts:** [[starts]]', ...panel },
        { type: 'text', text: '**Ends:** [[ends]]', ...panel },
        { type: 'text', text: '**Not included:** [[exceptions]]', ...panel },
      ],
    },
    de: {
      title: 'Rabattaktion',
      about: 'Ein Rabatt mit Code und letztem Tag.',
      subject: '[[percent]] Rabatt bei {{ business.name }}',
      preview_text: 'So kommen Sie an Ihren Preisvorteil.',
      blocks: [
        { type: 'heading', text: '[[percent]] Rabatt für Sie' },
        {
          type: 'text',
          text: 'Jetzt lohnt sich das Stöbern: Wir haben die Preise gesenkt. Vielleicht ist ja genau das Stück dabei, mit dem Sie schon länger liebäugeln.',
        },
        { type: 'code', text: 'Ihr Code', code: '[[code]]' },
        { type: 'button', text: 'Angebote ansehen', url: '[[shop_url]]' },
        { type: 'text', text: '**Reduziert:** [[goods]]', ...panel },
        { type: 'text', text: '**Beginn:** [[starts]]', ...panel },
        { type: 'text', text: '**Letzter Tag:** [[ends]]', ...panel },
        { type: 'text', text: '**Ausgenommen:** [[exceptions]]', ...panel },
      ],
    },
    fr: {
      title: 'Promotion',
      about: 'Une remise, son code et son dernier jour.',
      subject: '[[percent]] de remise chez {{ business.name }}',
      preview_text: 'Voici comment en profiter.',
      blocks: [
        { type: 'heading', text: '[[percent]] de remise : faites-vous plaisir' },
        {
          type: 'text',
          text: 'C’est le bon moment pour craquer. Venez faire un tour : l’article que vous aviez repéré en fait peut-être partie.',
        },
        { type: 'code', text: 'Votre code', code: '[[code]]' },
        { type: 'button', text: 'J’en profite', url: '[[shop_url]]' },
        { type: 'text', text: '**Articles concernés :** [[goods]]', ...panel },
        { type: 'text', text: '**Début :** [[starts]]', ...panel },
        { type: 'text', text: '**Dernier jour :** [[ends]]', ...panel },
        { type: 'text', text: '**Hors promotion :** [[exceptions]]', ...panel },
      ],
    },
  },
}
