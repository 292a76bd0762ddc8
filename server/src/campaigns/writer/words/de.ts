import type { BriefWords } from './brief-words.ts'

export const german: BriefWords = {
  common:
    'der, die, das, und, wir, für, mit, bis, ab, am, im, in, an, um, von, vom, zu, zum, zur, auf, bei, ist, sind, uhr, bitte, alle, unser, unsere, unserem, nicht, kein, keine, neue, neues, ein, eine, einen, den, dem, des, wer, wenn, jeder, auch, noch, nur, oder, pro, gratis, ich, du, ihr, sie, mo, fr, franken, wie, was, nach, wird, tage, tagen, danke, fragen, ab, einladung, warum, kunden, mitglieder, chasch, isch, mer, ned, und',
  goals: {
    newsletter: [
      'newsletter, rundbrief, kundenbrief, adventsbrief, monatsbrief, infobrief, neuigkeiten, hauszeitung, vereinsnachrichten, gemeindebrief, nachrichten aus',
      'tipps, ausgabe, rubrik, ausserdem, drei tipps, jahrgang, vorschau, rückblick',
    ],
    announcement: [
      'ankündigung, ankündigen, mitteilung, mitteilen, bekannt geben, öffnungszeiten, umzug, wir ziehen um, wir sind umgezogen, neue adresse, preise steigen, preiserhöhung, preisanpassung, bleibt geschlossen, geschlossen, betriebsferien, bleibt zu, wasser abgestellt, stromausfall, wegen heizung, neuer name, ab sofort gilt, kostet neu, störung, wartung',
      'leider, wegen, statt, zu, info an, informieren, änderung, umbau, ausfall',
    ],
    sale: [
      '*schlussverkauf, ausverkauf, rabatt*, sale, sonderangebot*, sonderverkauf, aktion, aktionswoche, prozente, räumungsverkauf, abverkauf, black friday, zum halben preis, vergünstig*, lagerverkauf, schnäppchen*',
      'angebot, angebote, gutschein*, code, mit code, solange vorrat, reduziert, günstiger',
    ],
    event: [
      'einladung, einladen, iilade, lade ein, veranstaltung*, fest, *fest, konzert*, vernissage, tag der offenen tür, offene tür, lesung, *lesung, workshop, *feier, feier, versammlung, *versammlung, generalversammlung, flohmarkt, *markt, degustation, *abend, *plausch, party, aufführung, ausstellung, samichlaus, turnier, stammtisch, eröffnung, *brunch, *börse, premiere',
      'eintritt, apéro, treffpunkt, glühwein, anmeldung, pro person, türöffnung, künstlerin, künstler, kommt vorbei, aamäldig, buffet',
    ],
    welcome: [
      'begrüssung*, willkommen*, begrüssungsmail, willkommensmail, neue mitglieder begrüssen, neue abonnenten, neue kunden begrüssen, neu angemeldete, wer sich anmeldet, neukunden',
      'begrüssen, probetraining, ansprechpartner, erste bestellung, herzlich',
    ],
    birthday: ['geburtstag*', 'aufs haus, gratulieren, glückwunsch, alles gute'],
    'win-back': [
      'zurückgewinnen, zurückholen, lange nicht, länger nicht, schon lange nicht, seit nem jahr, seit einem jahr, seit langem, keinen kurs mehr, nicht mehr gebucht, nicht mehr bestellt, nicht mehr da, nichts mehr bestellt, nicht mehr gekommen, vermissen, wir vermissen dich, inaktiv*, nicht mehr bei uns, ehemalige kunden, lange nichts',
      'wieder, kein druck, mehr gebucht, ehemalige, damals',
    ],
    review: [
      'bewertung*, bewerten, rezension*, google bewertung, erfahrungsbericht*, weiterempfehl*',
      'sterne, ehrlich, kritik, zufrieden',
    ],
    'back-in-stock': [
      'wieder da, wieder lieferbar, wieder verfügbar, wieder vorrätig, wieder erhältlich, wieder eingetroffen, wieder an lager, wieder auf lager, wieder im sortiment, zurück im regal',
      'max, pro kunde, ausverkauft, nachschub, eingetroffen',
    ],
    cart: [
      'warenkorb, einkaufswagen, nicht abgeschlossen, kasse verlassen, im korb',
      'vergessen, reserviert, bestellung abschliessen',
    ],
    receipt: [
      'bestellbestätigung, kaufbestätigung, zahlungsbestätigung, buchungsbestätigung, quittung, bestellung bestätigen, danke für deine bestellung, danke für ihre bestellung, nach dem kauf, nach der zahlung, nach der bezahlung, auftragsbestätigung, anmeldebestätigung',
      'rückgabe, werktagen, bestellung, bestätigung, bezahlt',
    ],
    shipping: [
      'lieferung, lieferverzug, lieferverzögerung, versandbestätigung, verspätet sich, verspätung, paket*, sendung, unterwegs, verschickt wurde, sendungsverfolgung, verzögert sich, lieferung verzögert, später geliefert',
      'verspätet, versand, entschuldigung, geliefert, lieferung*',
    ],
    'password-reset': ['passwort*, kennwort*', 'zurücksetzen, einloggen, anmeldelink'],
    appointment: [
      'terminerinnerung, erinnerung an den termin, erinnerung an ihren termin, termin am, ihr termin, dein termin, grippeimpfung, *impfung, terminbestätigung, vorsorgetermin, kontrolltermin, erinnerung termin',
      'termin, erinnerung, praxis, impfausweis, absagen, verschieben, nüchtern, mitbringen',
    ],
    invoice: [
      'rechnung*, mitgliederbeitrag, mitgliedsbeitrag, jahresbeitrag, beitrag 20*, zahlungserinnerung, mahnung, *beitrag, fällig, zahlbar bis, qr rechnung, beiträge, einzahlungsschein, offener betrag',
      'zahlbar, überweisen, kassier, konto, zahlung, iban, betrag',
    ],
    survey: [
      'umfrage*, befragung*, fragebogen, abstimmung, kundenbefragung',
      'fragen, verlost, anonym, mitmachen, meinung',
    ],
    're-permission': [
      'nochmal zustimmen, nochmals zustimmen, erneut zustimmen, zustimmen, einwilligung*, dsgvo, opt in, noch hören, weiter hören, weiterhin hören, weiterhin erhalten, zustimmung erneuern, alte kontakte, alten kontakte, noch mails',
      'zustimmung, fliegt raus, wer nix macht, abgemeldet, datenschutz, weiterhin',
    ],
    season: [
      'reifenwechsel, saison*, frühling*, frühjahr*, sommer ist da, herbst ist da, winter steht vor, weihnachtsgrüsse, frohe weihnachten, neujahrsgrüsse, gutes neues jahr, ostergrüsse, frohe ostern, spargelzeit, winterfest, von o bis o, *saison, erntezeit, pflanzzeit, gartenzeit, radwechsel',
      'winter, sommer, herbst, einlagerung, weihnachten, ostern, jetzt ist zeit',
    ],
    job: [
      'wir suchen ab sofort, stellenanzeige, stellenangebot, stelle frei, offene stelle, bewerbung*, bewerben, verstärkung gesucht, mitarbeiter gesucht, mitarbeiterin gesucht, aushilfe gesucht, lehrstelle, ausbildungsplatz, wir stellen ein, teilzeit, vollzeit, minijob',
      'stelle, suchen, pensum, ab sofort, lohn, gehalt, lebenslauf, festanstellung',
    ],
    donation: [
      'spende*, spendenaufruf, spendenaktion, gönner*, benefiz, sammelaktion, patenschaft*, unterstützt uns',
      'steuerlich, abziehbar, brauchen bis, unterstützen, verein, fehlen uns, ziel',
    ],
    press: [
      'pressemitteilung, medienmitteilung, presseinfo, presseaussendung, sperrfrist, journalisten',
      'presse, medien',
    ],
    'product-launch': [
      'neues modul, neue version, produkteinführung, markteinführung, neues produkt, bringen am, bringen wir, launch*, neue app, neue funktion*, kommt auf den markt, jetzt erhältlich, jetzt neu, stellen vor, ab heute verfügbar, geht live',
      'modul, app, tarif, funktionen, vorführung, demo, ios, android, beta, update',
    ],
    webinar: [
      'webinar*, online vortrag, onlinevortrag, online seminar, onlineseminar, livestream, online kurs, online sprechstunde',
      'referent, referentin, zoom, aufzeichnung, kostenlos, minuten',
    ],
    'thank-you': [
      'merci an, danke an, dank an, herzlichen dank an, dankeschön, dankesmail, bedanken, vielen dank an, wir danken, danken wir, ein grosses danke',
      'danke, merci, helferinnen, helfer, freiwillige, reinerlös, ehrenamtliche',
    ],
  },
  automation:
    'jeder neue abonnent, jeder neue kunde, jedes neue mitglied, jede neue abonnentin, jede neue kundin, jeder der sich, jedem neuen, jeder neue kontakt, immer wenn, jedes mal wenn, jedesmal wenn, sobald jemand, sobald einer, sobald ein kunde, sobald eine kundin, wenn jemand, wenn einer, wenn eine kundin, wenn ein kunde, wenn ein gast, wenn sich jemand, wenn sich einer, automatisch, automatisier*, automation, nach einer stunde, nach 1 stunde, autoresponder, mailserie, e mail serie, sequenz',
  questions:
    'wie viele, wieviele, wie viel, wieviel, warum, wieso, weshalb, wo ist, wo finde, wo sind, wann wurde, wer hat, kann ich, können wir, ist unser, ist unsere, sind unsere, was ist, was heisst, was bedeutet, hat das, haben wir, geht das, wie kann ich, wie mache ich, stimmt es',
  statements:
    'wir, unser, unsere, unserem, unseren, uns, liebe, lieber, ab sofort, neu, neue, jetzt, offen, bitte, kunden, mitglieder, eltern, gratis, mitteilen, ankünd*, informier*',
  tellings:
    'sag, sage, sagt, sagen, säg, teil, teile, teilt, mitteilen, informiere, informiert, informieren, gib, gebt, bekannt geben, bekanntgeben, erinnere, erinnert, erinnern, lass, lasst, wissen lassen, richte, ausrichten, kündige, ankündigen, verkünde, verkünden, melde, schreib, schreibe, schreibt',
  insiders: 'uns, mir, deinen, euren',
  links: 'und, auch, sowie',
  relativeVerbs: '',
  requests:
    'mach, mache, machen, schick, schicke, schicken, sende, senden, sag, nachricht, text, bitten, erinnern, bedanken',
  orders:
    'schreib, schreibe, schreibt, schreiben, verfasse, verfassen, erstelle, erstellen, mail, email, rundmail, newsletter, einladen, iilade, lade, informiere, informieren, säg, teile mit, mitteilen, geburtstagsmail, begrüssungsmail, willkommensmail, entwirf, entwurf, kündige, bewirb',
  leadIns:
    'wir suchen, ab sofort, gesucht, wir bringen, wir lancieren, wir starten, neu ab, neu, einladung zur, einladung zum, einladung, terminerinnerung, erinnerung an, webinar, umfrage zur, umfrage zum, spendenaufruf, merci an, danke an, herzlichen dank an, eine, einen, ein, alle',
  linkingVerbs: 'ist, sind, war, wird, werden',
  sentenceStarts:
    'wir, sie, ihr, du, ich, es, er, man, das ist, dies, was, wenn, wer, ist, sind, leider, danke, merci, bitte, liebe, lieber, ab, bis, am, im, nur, herzlichen, frist, fragen, kritik, preise steigen, firma',
  withinOrders:
    'bitte, kannst, könntest, können, könnten, könnt, würdest, würden, chasch, du, ihr, sie, mir, uns, ich, wir, will, möchte, möchten, brauche, brauchen, eine, einen, ein, ne, die, den, der, das, d, dem, an, für, fürs, zum, zur, zu, über, alle, allen, unsere, unseren, unserem, unser, kunden, kundinnen, mitglieder, mitgliedern, gäste, eltern, leute, leuten, abonnenten, leser, kontakte, verteiler, kurze, kurzen, kurz, nette, nett, neue, neuen, mal, doch, ob, dass, no, auch, im, in, einmal, hallo, hoi, und, freundliche, vergessen',
  relatives: 'die, der, das, welche, wer',
  conjunctions: 'dass',
  wishes:
    'schreib es, schreibs, schreib so, wie wir reden, nicht wie ein, bitte nix, bitte nicht zu, bitte sie, also bitte sie, mit du, per du, duzen, siezen, erklären, nicht jammern, bissl, bisschen witzig, kein druck, nett formulieren, formulieren, freundlicher, etwas freundlicher, kurz halten, kurz und, höchstens ein, nur ein knopf, betreff, nicht nach werbung, wenns geht, unten drunter, alten kontakte, fliegt raus, zwei fassungen, zwei versionen, eine kurze, österreichisch lassen, schweizerdeutsch, hochdeutsch, ehrlich gemeint, keine ausrufezeichen, ohne ausrufezeichen, keine emojis, ohne emojis, emojis, tonfall, im ton, nicht so förmlich, förmlich, entschuldigung schreiben, bitte an alle, im verteiler, nur einmal, agentur hier, zielgruppe, für unseren kunden, logo oben, bild einfügen, mit bild, keine fachbegriffe, einfache sprache, nicht zu lang',
  doubts:
    'oder war, oder wars, oder waren, oder warens, oder wars doch, nein sonntag, nein samstag, nein freitag, nein montag, nein doch, also am wochenende, nicht sicher, weiss nicht, weiss nicht mehr, weiss ich nicht, noch offen, noch unklar, wird noch, such dir, oder so, glaub ich, glaube ich, keine ahnung, muss noch, steht noch nicht fest, oder doch, quatsch, äh',
  signatures:
    'unterschrift, unterschrieben von, unterzeichnet, gezeichnet, unterschreib mit, unterschreiben mit, grüsse von, gruss von, absender',
  speakers:
    'referent, referentin, referentinnen, referenten, sprecher, sprecherin, mit dabei, moderation, dozent, dozentin',
  linkLabels:
    'link, links, der link, shop, webseite, website, hier, infos, mehr, anmeldung, anmelden, buchen, termine, termine online, online, online unter, unter, bestellen, tickets, details, formular, umfrage, spenden, zum shop, auf',
  places:
    '*strasse, *gasse, *platz, *halle, *saal, *haus, *huus, *huette, *hütte, praxis, galerie, *schule, *kirche, *stube, *garten, *hof, *heim, turnhalle, restaurant, café, cafe, gasthof, hotel, studio, atelier, bibliothek, museum, theater, *zentrum, *keller, *scheune, *laden, *park, aula, mensa, wirtschaft, beiz, *bad, *turm, werkstatt',
  beforePlaces: 'im, in der, in, am, an der, beim, bei der, auf dem, auf der',
  fillers:
    'der, die, das, und, am, im, in, um, ab, bis, von, zu, zum, mit, für, auf, an, bei, ist, uhr, nur, bitte, alle, mail, code, link, januar, jänner, februar, märz, april, mai, juni, juli, august, september, oktober, november, dezember, einladung, hallo, hoi, hi, danke, merci, liebe grüsse',
  introductions: 'hier',
  tones:
    'locker, warm, freundlich, herzlich, witzig, förmlich, kurz, knapp, ehrlich, seriös, nett, einfach, persönlich, sachlich, nicht, zu, sehr, und, aber, bitte, bissl, etwas, eher, schreib',
  commands:
    'vermeide, vermeiden, verwende, benutze, erwähne, schreib, schreibe, bitte schreib, bitte nicht, bitte kein, bitte keine',
  people:
    'kunden, kundinnen, leute, leuten, mitglieder, mitgliedern, gäste, gästen, eltern, abonnenten, leser, kontakte, alle, allen, jene, diejenigen, teilnehmer',
  determiners: 'der, die, das, den, dem, unser, unsere, unseren, unserem, ein, eine, einen, alle',
  lead: 'Wir möchten Ihnen mitteilen,',
  heading: 'Aktuelles',
  button: 'Mehr erfahren',
  stop: 'Abmelden: STOP',
}
