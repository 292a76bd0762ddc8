import type { RecipientWords } from './words.ts'

export const dutch: RecipientWords = {
  form: {
    submit: 'Versturen',
    required: 'verplicht',
    choose: 'Maak een keuze',
    yes: 'Ja',
    no: 'Nee',
    problems: 'Controleer je antwoorden',
    missing: 'Vul dit veld in.',
    email: 'Vul een e-mailadres in, bijvoorbeeld ana@example.com.',
    phone: 'Vul een nummer met landcode in, bijvoorbeeld +31 20 624 1111.',
    number: 'Vul een getal in, bijvoorbeeld 12 of 3.5.',
    date: 'Vul een bestaande datum in.',
    url: 'Vul een adres in dat met https:// begint.',
    choice: 'Kies uit de lijst.',
    tooLong: 'De tekst is te lang.',
    consentNeeded: 'Vink dit vakje aan om verder te gaan.',
    thanksTitle: 'Bedankt',
    thanksText: 'Je antwoorden zijn aangekomen. Je kunt deze pagina sluiten.',
    confirmTitle: 'Nog één stap: kijk in je mailbox',
    confirmText: 'Open de e-mail die we je sturen en bevestig met de knop erin.',
    closedTitle: 'Dit formulier is gesloten',
    closedText: 'Het neemt op dit moment geen antwoorden aan.',
    expired:
      'Deze pagina stond te lang open. Je antwoorden staan er nog: verstuur ze nog een keer.',
    tooMany:
      'Er kwamen te veel antwoorden van jouw netwerk. Wacht een minuut en verstuur ze nog een keer.',
    tryAgain:
      'Je antwoorden konden niet worden bewaard. Ze staan er nog: verstuur ze nog een keer.',
    wait: 'Een ogenblik geduld…',
    sendHere:
      'Vul het formulier hier in: programma’s hebben er misbruik van gemaakt, daarom nemen we alleen antwoorden van deze pagina aan.',
    leaveEmpty: 'Laat dit veld leeg',
    close: 'Sluiten',
    responsible: 'Verantwoordelijk voor uw gegevens',
    privacy: 'Privacyverklaring',
  },
  preferences: {
    title: (business) => `Berichten van ${business}`,
    unsubscribed:
      'Klaar: je krijgt geen mailings meer per e-mail. Wat op het punt stond te vertrekken, is tegengehouden.',
    leftTopic: (topic) =>
      `Klaar: u krijgt geen mailings meer over ${topic}. De andere die u koos, blijven komen.`,
    saved: 'Je keuze is bewaard.',
    askUnsubscribe: 'Druk op de knop om geen mailings meer per e-mail te krijgen.',
    unsubscribe: 'Afmelden',
    leaveTopic: (topic) => `Afmelden voor ${topic}`,
    leaveAll: 'Afmelden voor alles',
    legend: 'Wat je krijgt',
    save: 'Mijn keuze bewaren',
    stillSent: 'Berichten over je bestellingen en vragen krijg je nog steeds.',
    emailChoice: (business) =>
      `Ik wil nieuws en aanbiedingen van ${business} per e-mail ontvangen.`,
    smsChoice: (business) => `Ik wil nieuws en aanbiedingen van ${business} per sms ontvangen.`,
    trackingLegend: 'Wat wordt vastgelegd',
    trackingChoice: (business) =>
      `${business} mag vastleggen of ik e-mails open en welke links ik volg.`,
    topics: 'Onderwerpen',
    often: 'Hoe vaak?',
    oftens: {
      all: 'Telkens als er iets is',
      weekly: 'Hooguit één bericht per week',
      digest: 'Alleen het regelmatige overzicht',
      pause: '30 dagen geen',
    },
    topicChoice: (topic, business) => `Ik wil ${topic} van ${business} ontvangen.`,
    emailTo: (hint) => `E-mail naar ${hint}`,
    smsTo: (hint) => `Sms naar ${hint}`,
    goneTitle: 'Je krijgt niets meer',
    goneText: (business) =>
      `${business ?? 'De afzender'} heeft je adres niet meer, dus er is niets om je voor af te melden. Je kunt deze pagina sluiten.`,
    returnText:
      'Krijg je nog steeds berichten? Gebruik dan de link in het nieuwste. Wil je ze weer ontvangen? Vul je e-mailadres in: we sturen je een e-mail met een knop om het te bevestigen.',
    returnLabel: 'E-mailadres',
    returnButton: 'Stuur mij de e-mail',
    returnAsked:
      'Als berichten aan dit adres hier waren gestopt, is er een e-mail onderweg. Druk op de knop erin om ze weer te krijgen; tot dan verandert er niets.',
    tooManyTitle: 'Te veel wijzigingen',
    tooManyText:
      'Je hebt je keuze heel vaak gewijzigd. Wacht een uur voordat je om meer berichten vraagt. Afmelden kan altijd.',
  },
  confirmation: {
    subject: (business) => `Bevestig alsjeblieft: berichten van ${business}`,
    text: (business) =>
      `Iemand, waarschijnlijk jij, heeft ${business} gevraagd naar dit adres te schrijven. Druk op de knop om dat te bevestigen.`,
    button: 'Bevestigen',
    ignore: 'Was jij het niet, doe dan niets: zonder je bevestiging krijg je geen mailings.',
    pageText: (business) => `Druk op de knop om berichten van ${business} te krijgen.`,
    doneTitle: 'Bevestigd',
    doneText: (business) => `Je krijgt berichten van ${business}. Je kunt deze pagina sluiten.`,
    expiredTitle: 'Deze link is verlopen',
    expiredText: 'Vul het formulier nog een keer in om een nieuwe te krijgen.',
  },
  mail: { preferences: 'Afmelden of kiezen wat je krijgt' },
  view: {
    link: 'Bekijk in je browser',
    goneTitle: 'Deze e-mail kan niet meer worden getoond',
    goneText: 'De inhoud wordt niet meer bewaard. Je kunt hem nog wel in je mailbox lezen.',
  },
  sms: {
    stopped: (business) =>
      `${business}: Je krijgt geen sms meer van dit nummer. Antwoord START om ze weer te krijgen.`,
    started: (business) =>
      `${business}: Je krijgt onze sms weer. Antwoord HELP voor hulp, STOP om te stoppen.`,
    help: (business, contact) =>
      `${business}: ${contact}Antwoord STOP om geen sms meer van dit nummer te krijgen.`,
    writeTo: (address) => `Schrijf naar ${address}`,
  },
  archive: {
    title: (business) => `E-mails van ${business}`,
    empty: 'Hier staat nog geen e-mail.',
    older: 'Oudere e-mails',
    newest: 'Nieuwste e-mails',
    feed: 'RSS-feed',
    all: (business) => `Alle e-mails van ${business}`,
    subscribe: 'Abonneren',
    personalTitle: 'Deze link is persoonlijk',
    personalText:
      'Hij werkt alleen in de e-mail die de ontvanger kreeg. Open die e-mail om je af te melden of te kiezen wat je krijgt.',
  },
  errors: {
    linkTitle: 'Deze link werkt niet',
    linkText:
      'Misschien is hij bij het kopiëren afgekapt. Open het bericht opnieuw en volg de link daarin. Leidt ook die hierheen, beantwoord dan het bericht en meld het aan de afzender. Er is niets gewijzigd.',
    pageTitle: 'Pagina niet gevonden',
    pageText: 'Op dit adres staat geen pagina.',
    busyTitle: 'Te veel aanvragen',
    busyText:
      'Vanaf jouw netwerk zijn te veel pagina’s geopend. Wacht een minuut en probeer het opnieuw.',
    failedTitle: 'Er ging bij ons iets mis',
    failedText: 'Probeer het zo meteen opnieuw.',
  },
  sentWith: 'Verstuurd met Crier',
  skipToPage: 'Naar de inhoud',
}
