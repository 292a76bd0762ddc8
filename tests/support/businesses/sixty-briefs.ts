/** Sixty briefs of all kinds, each with the details that its draft must contain literally. */
import { goalKinds } from 'crier-server/campaigns/writer/brief.ts'

export interface DetailedBrief {
  brief: { goal: string; kind: (typeof goalKinds)[number]; facts?: string[]; links?: string[] }
  details: readonly string[]
}

interface Shape {
  goal: string
  facts?: string[]
  links?: string[]
  details: string[]
}

const shapes: Shape[] = [
  {
    goal: 'Tell everyone about our jazz evening on Friday 6 March at 18:30 in the Old Brewery, 12 Harbour Street. Tickets are €12.50. Book at https://jazz.example/book?d=6&n=2.',
    details: [
      '18:30',
      'Friday 6 March',
      'the Old Brewery, 12 Harbour Street',
      '€12.50',
      'https://jazz.example/book?d=6&n=2',
    ],
  },
  {
    goal: 'Announce that from Monday we open at 7:15 a.m. instead of 9 a.m. at Rua das Flores 112, Porto',
    details: ['7:15 a.m.', '9 a.m.', 'Rua das Flores 112, Porto'],
  },
  {
    goal: 'Please write a short email to all our customers about the spring sale: 20% off everything with the code SPRING20 until 31.03.2027. Keep it under 100 words.',
    links: ['https://shop.example'],
    details: ['20%', 'SPRING20', '31.03.2027', 'https://shop.example'],
  },
  {
    goal: 'Invite all our guests to the tasting. Book at:',
    facts: [
      'Thursday, 19:00–21:30',
      'Where: Kaffeehaus, Lindenstr. 5, Wien',
      '$15 (members: $9.99)',
    ],
    links: ['https://taste.example/thursday', 'https://maps.example/?q=Lindenstr.+5'],
    details: [
      '19:00–21:30',
      'Kaffeehaus, Lindenstr. 5, Wien',
      '$15',
      '$9.99',
      'https://taste.example/thursday',
      'https://maps.example/?q=Lindenstr.+5',
    ],
  },
  {
    goal: 'We close at 18:00 on 24 December. Mention that the last order is at 17:15. Use code early-bird_7 by phone: +43 1 234 567. In a friendly tone.',
    details: ['18:00', '24 December', '17:15', 'early-bird_7', '+43 1 234 567'],
  },
  {
    goal: 'Doors open at 8 p.m. on Saturday in Hall B, St. Mary’s Road 4. Bring ID. See https://club.example/night for the line-up, or write to hello@club.example.',
    details: [
      '8 p.m. on Saturday',
      'Hall B, St. Mary’s Road 4',
      'https://club.example/night',
      'hello@club.example',
    ],
  },
  {
    goal: 'Our new shop is here (https://new.example/shop).\n- Open 10.30 to 19.45\n- 5 Market Square, Leeds LS1 6DT\n- First 50 get £5 back with HELLO-50',
    details: [
      'https://new.example/shop',
      '10.30 to 19.45',
      '5 Market Square, Leeds LS1 6DT',
      '£5',
      'HELLO-50',
    ],
  },
  {
    goal: 'Send a SUMMER-27 campaign about iPhone repairs for CHF 80.- while you wait, Bahnhofstrasse 3 in Zürich, Mon-Fri 08:00-12:00 and 13:30-18:00',
    details: ['SUMMER-27', 'CHF 80.-', 'Bahnhofstrasse 3 in Zürich', '08:00-12:00', '13:30-18:00'],
  },
  {
    goal: 'Remind our members about the yoga class at 06:45, room 2.14, with a link to https://yoga.example/a%20b#early. Price: 9,90 €. Half price (-50%) with “MORNING”.',
    details: [
      '06:45',
      'room 2.14',
      'https://yoga.example/a%20b#early',
      '9,90 €',
      '-50%',
      'MORNING',
    ],
  },
  {
    goal: 'Let everyone know about the harvest market',
    facts: [
      'Sunday at 9:00, Place du Marché 1, Lyon.',
      'Entry 3 € for adults, free under 12',
      'Show the code {{ MARKET }} or scan it at https://market.example/q?c={{1}}',
      'Last year’s photos: https://photos.example/2026',
    ],
    links: ['HTTPS://Market.example/Map'],
    details: [
      'Sunday at 9:00',
      'Place du Marché 1, Lyon',
      '3 €',
      'free under 12',
      '{{ MARKET }}',
      'https://market.example/q?c={{1}}',
      'https://photos.example/2026',
      'HTTPS://Market.example/Map',
    ],
  },
]

export const sixtyBriefs: readonly DetailedBrief[] = goalKinds.flatMap((kind) =>
  shapes.map(({ details, ...brief }) => ({ brief: { ...brief, kind }, details })),
)
