import type { BriefWords } from './brief-words.ts'

export const english: BriefWords = {
  common:
    'the, and, to, for, is, are, our, we, with, from, at, of, on, in, it, they, them, who, you, your, please, by, till, until, off, this, that, be, have, has, us, people, mail, not, no, new, free, want, when, if, write, after, every, a, an',
  goals: {
    newsletter: [
      'newsletter, news letter, monthly news, weekly news, digest, round up, roundup, news of the month, monthly update, weekly update',
      'lead story, recipe of the month, in this issue, second story, third, read the rest, also this month',
    ],
    announcement: [
      'announce*, moving, we moved, we have moved, new address, new opening hours, opening hours, closed for, we are closed, closing early, water off, power cut, outage, prices go up, price increase, price change, change of name, new name, new owner, from now on, we will charge, well charge, maintenance',
      'closed, notice, change*, instead of, let them know, inform, temporarily, road works, new hours',
    ],
    sale: [
      'sale, flash sale, discount*, clearance, promo code, special offer, black friday, cyber monday, half price, two for one, bogo, bargain*, reduced prices, voucher for, money off',
      'off, offer, offers, deal, deals, coupon, voucher, promo*, code, code is, everything in the shop, reduced',
    ],
    event: [
      'invite*, invitation, event, party, concert, open mic, agm, annual general meeting, workshop, tasting, festival, exhibition, screening, open day, open house, gig, quiz night, rsvp, book launch, fundraiser dinner, meetup, meet up, performance, recital, reading',
      'doors open, doors, tickets, on the door, evening, fair, market, show, talk, choir, hall, come along, bring a friend, class',
    ],
    welcome: [
      'welcome mail, welcome email, welcome message, welcome our new, welcome new, welcome the new, welcome to, new subscribers, new members, people who sign up, people who join, who just joined, who signed up, onboarding, sign ups',
      'welcome, first order, sign up, hello to',
    ],
    birthday: ['birthday*', 'treat, any day that month, on their day'],
    'win-back': [
      'win back, win them back, winback, havent seen, not seen, havent been, havent ordered, havent bought, havent booked, havent visited, lapsed, inactive, dormant, we miss you, miss you, missed you, come back, bring back, lost customers, not been in, havent heard from, stopped coming',
      'old customers, former, since spring, since summer, still here, again',
    ],
    review: [
      'review, reviews, rate us, rating, feedback on their, testimonial*',
      'stars, honest, ask people who bought, ask those who',
    ],
    'back-in-stock': [
      'back in stock, are back, is back, restock*, in stock again, available again, are in again, back on the shelves, back on sale',
      'sizes, last time, sold out, waiting list, limited, are here again',
    ],
    cart: [
      'basket, cart, abandoned, left stuff in, left something in, left in their, checkout not finished',
      'hold it, reserved, still waiting',
    ],
    receipt: [
      'receipt, order confirmation, booking confirmation, payment confirmation, confirmation of payment, after they pay, after they have paid, after paying, thanks for your order, thank you for your order, after purchase, after buying, after payment',
      'paid, order, refunds, refund, confirm*, youre in',
    ],
    shipping: [
      'shipped, ships week, delivery delay, delayed, late delivery, orders are late, is late, its late, shipping update, on its way, dispatched, package, packages, tracking, delivery is, deliveries are late, has left our warehouse',
      'delivery, shipping, ships, container, courier, pre ordered, preordered, delay*',
    ],
    'password-reset': ['password*, reset link, reset their password', 'log in, login, locked out'],
    appointment: [
      'appointment reminder, reminder for your, appointment on, appointment at, reminder for, remind them of their appointment, your appointment, clinic, check up, checkup, appointments are',
      'appointment*, reminder, fasting, fast, bring your card, to move it, reschedule, vaccination*, flu',
    ],
    invoice: [
      'invoice*, fees due, fee due, dues, payment due, subscription due, membership fees, fees are due, payment reminder, bill, overdue, annual fee, please pay',
      'fees, fee, due, account details, bank details, ref, payable, pay by',
    ],
    survey: [
      'survey*, questionnaire, poll, short questions',
      'questions, anonymous, closes, answers, opinion, opinions',
    ],
    're-permission': [
      'ask them again, still want to hear, want to hear from us, want to stay on, stay on the list, stay on our list, permission, consent, re consent, reconsent, gdpr, opt in again, confirm they want, keep hearing from, renew their consent',
      'old list, click yes, take you off, lawyer, stay subscribed, no longer hear',
    ],
    season: [
      'season, seasons greetings, springs coming, spring is coming, spring is here, summer is coming, summer is here, autumn is here, winter is coming, winter is here, happy holidays, merry christmas, happy new year, get ready for spring, get ready for winter, get ready for summer, time for spring, asparagus, harvest',
      'spring, summer, autumn, winter, christmas, easter, holidays, mulch, planting',
    ],
    job: [
      'hiring, we are hiring, job opening, vacancy, vacancies, job ad, looking for a part time, looking for a full time, looking for someone to join, apply by, apply to, part time, full time, join our team, apprentice*',
      'job, apply, an hour, hours a week, cv, salary, position, role, remote',
    ],
    donation: [
      'donat*, appeal, fundrais*, we need £*, raise money, raise funds, charity appeal, give to, chip in, gift aid, your gift, sponsor an',
      'shelter, give, gave, charity, trust, feeds, gift, target',
    ],
    press: [
      'press release, press statement, media release, for immediate release, journalists, the press',
      'press, media, embargo',
    ],
    'product-launch': [
      'launch, launching, launches, we launch, is live, now live, new version, release of, releasing, introducing, new product, now available, brand new, our new app, goes live, new feature*, rolling out',
      'v2, v3, v4, v5, changelog, app, features, beta, upgrade, existing accounts, new',
    ],
    webinar: [
      'webinar*, online talk, live stream, livestream, online session, live session, online workshop',
      'register, speaker, q a, recording, zoom, online, join live',
    ],
    'thank-you': [
      'thank u to, thank you to, thanks to the, thanks to all, thank the volunteers, thank everybody, thank everyone, thank our, say thank you, a big thank you, thank them, thanks to everyone, thanks to everybody, thank all',
      'thank you, thanks, volunteers, helpers, donors, grateful, pics, photos',
    ],
  },
  automation:
    'every new subscriber, every new customer, every new member, every new contact, every new sign up, each new subscriber, each new customer, each new member, every time someone, every time somebody, every time a, each time someone, each time somebody, each time a, whenever, as soon as someone, as soon as somebody, as soon as a customer, when somebody, when someone, when a customer, when a person, when a contact, when a subscriber, when a member, when a guest, when people, once somebody, once someone, if somebody hasnt, if someone hasnt, if somebody doesnt, if someone doesnt, automatically, automate*, automation, drip, drip campaign, a series of, sequence of mails, email sequence, one a week on, then a week later, then two weeks later, then after, autoresponder',
  questions:
    'is our, are our, is the, is my, are my, why is, why are, why did, why does, how many, how much did, how do i, how can i, how do we, where is, where do i, where can i, what is, what does, what happened, when did, who unsubscribed, can i, can we see, does it, did it, do we, have we, did the',
  statements:
    'we, our, us, were, weve, announce*, tell, inform, invite*, remind, from now on, now, new, open, closed, back, dear, hi all, hello all, everyone, everybody, please, customers, members, parents, patients, free, let people know, spread the word',
  orders:
    'write, draft, compose, tell, inform, remind, notify, invite, announce, mail, email, newsletter, say that, promote, advertise, something, appeal, campaign, get them thinking, win back, bring back',
  tellings:
    'tell, telling, inform, informing, let, letting, notify, notifying, announce, announcing, say, saying, remind, reminding, write to, make known, spread the word',
  insiders: 'us, me, your, yourself',
  links: 'and, also',
  relativeVerbs:
    'have, has, had, havent, is, are, were, was, bought, came, ordered, booked, signed, joined, subscribed, visited, donated, attended, registered, like, want, love, live, own',
  requests:
    'send, make, create, do, ask, say, let, prepare, message, note, text, mention, explain, introduce, welcome, thank',
  leadIns:
    'we are hiring, were hiring, hiring, we are looking for, were looking for, looking for, we launch, we are launching, were launching, launching, introducing, announcing, reminder for, reminder, invitation to, invitation, webinar invite, webinar, free webinar, about, thank u to, thank you to, thanks to, a big thank you to, a, an, next',
  linkingVerbs: 'is, are, was, were, will',
  sentenceStarts:
    'we, were, weve, it, its, they, you, youre, i, im, this, that, what, when, if, do, does, is, are, there, thank, thanks, please, come, dont, no, dear, only, if, moving, closed',
  withinOrders:
    'please, can, could, would, you, i, id, we, wed, want, need, like, to, a, an, the, our, my, us, me, them, all, of, for, about, on, out, that, everyone, everybody, people, customers, clients, members, parents, patients, subscribers, guests, readers, folks, list, short, quick, nice, friendly, new, old, also, and, know, hi, hey, hello, kindly, just, it, this, client, those, these, birthday, audience',
  relatives: 'who, that, whose, which',
  conjunctions: 'that, to say that, to say, saying that, saying',
  wishes:
    'dont sound, do not sound, not too salesy, too salesy, salesy, keep it, keep the, make it, make the, write it, write something, can you write, please write, write a, draft something, mention it, say it, say its, no exclamation*, exclamation marks, short sentences, nothing legal, british spelling, american spelling, client hates, footer as always, be friendly, please be, be honest, more than a page, than a page, chatty, no bribes, no tricks, no discount, dont bang on, bang on about, my wife, my husband, my boss says, something plain, something warm, something short, near the top, at the top, leave the time, leave it, so i can, tell the list, no emojis, no emoji, emojis, sound like, sounds like, tone, too formal, too long, no jargon, plain english, dont mention, do not mention, dont use, do not use, no hype, subject line, please also, also thank, as usual in the footer, no crying, make sure, add a button, one button, use our logo, add a photo, add a picture, use a photo, not pushy, no pressure please, keep short, a bit funny, warm and short, the email should, the mail should, write this, agency here, from the agency, ask them again, these folks, those folks, our customers are, our readers are',
  doubts:
    'or is it, or was it, is it, or are they, not sure, im not sure, if that looks better, if it looks better, i think, tbc, tba, to be confirmed, to be decided, cant remember, dont remember, i forget, or maybe, or so, no wait, sorry no, or rather, whichever, not decided, undecided',
  signatures:
    'sign it as, sign it, sign as, sign off as, sign off with, sign off, signed by, signed, signature',
  speakers: 'speaker, speakers, hosted by, presented by, host, presenter',
  linkLabels:
    'link, links, the link, shop, shop is, website, web, site, see, register, book, details, more, info, here, sign up, url, order, changelog, pics, read more, at, on, apply, buy, tickets, donate, give, survey, form, all',
  places:
    'street, road, lane, avenue, square, hall, room, surgery, clinic, school, church, library, gallery, pub, cafe, kettle, tannery, hotel, studio, office, park, theatre, theater, centre, center, museum, barn, club, bar, brewery, restaurant, farm, garden, gardens, house, court, stadium, bakery, market, store, shop, practice, harbour, harbor, pier, yard, campus, arena, inn, tavern',
  beforePlaces: 'at the, at, in the, in',
  fillers:
    'the, a, an, and, is, are, it, its, on, at, in, of, to, for, with, by, from, till, until, off, our, we, now, this, mail, link, code, only, today, use, email, newsletter, january, february, march, april, may, june, july, august, september, october, november, december, x, hi, hey, hello, ta, thx, thanks, cheers, lol, pls, please',
  introductions: 'here, speaking',
  tones:
    'honest, warm, friendly, formal, short, brief, chatty, plain, polite, funny, casual, simple, light, personal, cheerful, serious, kind, nice, not, too, very, and, but, a, bit, please, pls',
  commands: 'avoid, use, keep, make, mention, dont mention, never mention, write',
  people:
    'everyone, everybody, people, customers, clients, members, parents, patients, subscribers, guests, readers, folks, those, somebody, list, shoppers, supporters',
  determiners: 'the, our, my, a, an, all',
  lead: '',
  heading: 'News',
  button: 'Find out more',
  stop: 'STOP to opt out',
}
