import type { RecipientWords } from './words.ts'

export const italian: RecipientWords = {
  form: {
    submit: 'Invia',
    required: 'obbligatorio',
    choose: 'Scegli',
    yes: 'Sì',
    no: 'No',
    problems: 'Controlla le tue risposte',
    missing: 'Compila questo campo.',
    email: 'Scrivi un indirizzo email, per esempio ana@example.com.',
    phone: 'Scrivi un numero con il prefisso del paese, per esempio +39 06 0608.',
    number: 'Scrivi un numero, per esempio 12 o 3.5.',
    date: 'Scrivi una data che esiste.',
    url: 'Scrivi un indirizzo che inizia con https://.',
    choice: 'Scegli dall’elenco.',
    tooLong: 'Il testo è troppo lungo.',
    consentNeeded: 'Spunta questa casella per continuare.',
    thanksTitle: 'Grazie',
    thanksText: 'Le tue risposte sono arrivate. Puoi chiudere questa pagina.',
    confirmTitle: 'Ancora un passo: controlla la posta',
    confirmText: 'Apri l’email che ti inviamo e conferma con il pulsante che contiene.',
    closedTitle: 'Questo modulo è chiuso',
    closedText: 'Al momento non accetta risposte.',
    expired:
      'Questa pagina è rimasta aperta troppo a lungo. Le tue risposte sono ancora qui: inviale di nuovo.',
    tooMany: 'Sono arrivate troppe risposte dalla tua rete. Aspetta un minuto e inviale di nuovo.',
    tryAgain: 'Non è stato possibile salvare le tue risposte. Sono ancora qui: inviale di nuovo.',
    wait: 'Un momento, per favore…',
    sendHere:
      'Compila il modulo qui: alcuni programmi ne hanno abusato, perciò accettiamo risposte solo da questa pagina.',
    leaveEmpty: 'Lascia vuoto questo campo',
    close: 'Chiudi',
    responsible: 'Titolare del trattamento dei dati',
    privacy: 'Informativa sulla privacy',
  },
  preferences: {
    title: (business) => `Messaggi di ${business}`,
    unsubscribed:
      'Fatto: non riceverai più invii per email. Quelli che stavano per partire sono fermati.',
    leftTopic: (topic) =>
      `Fatto: non riceverai più invii su ${topic}. Gli altri che hai scelto continueranno ad arrivare.`,
    saved: 'La tua scelta è salvata.',
    askUnsubscribe: 'Premi il pulsante per non ricevere più invii per email.',
    unsubscribe: 'Annulla l’iscrizione',
    leaveTopic: (topic) => `Annulla l’iscrizione a ${topic}`,
    leaveAll: 'Annulla l’iscrizione a tutto',
    legend: 'Che cosa ricevi',
    save: 'Salva la mia scelta',
    stillSent: 'Riceverai ancora i messaggi sui tuoi ordini e sulle tue richieste.',
    emailChoice: (business) => `Voglio ricevere novità e offerte di ${business} per email.`,
    smsChoice: (business) => `Voglio ricevere novità e offerte di ${business} per SMS.`,
    trackingLegend: 'Che cosa viene registrato',
    trackingChoice: (business) =>
      `${business} può registrare se apro le sue email e quali link seguo.`,
    topics: 'Argomenti',
    often: 'Con quale frequenza?',
    oftens: {
      all: 'Ogni volta che c’è qualcosa',
      weekly: 'Al massimo un messaggio a settimana',
      digest: 'Solo il riepilogo periodico',
      pause: 'Nessuno per 30 giorni',
    },
    topicChoice: (topic, business) => `Desidero ricevere ${topic} da ${business}.`,
    emailTo: (hint) => `Email a ${hint}`,
    smsTo: (hint) => `SMS al ${hint}`,
    goneTitle: 'Non ti viene inviato nulla',
    goneText: (business) =>
      `${business ?? 'Il mittente'} non ha più il tuo indirizzo: non c’è più nulla da cui cancellarsi. Puoi chiudere questa pagina.`,
    returnText:
      'Se ricevi ancora messaggi, usa il link del più recente. Vuoi riceverli di nuovo? Inserisci il tuo indirizzo email: ti invieremo un’email con un pulsante per confermare.',
    returnLabel: 'Indirizzo email',
    returnButton: 'Inviami l’email',
    returnAsked:
      'Se i messaggi a questo indirizzo erano stati fermati qui, un’email è in arrivo. Premi il pulsante che contiene per riceverli di nuovo; fino ad allora non cambia nulla.',
    tooManyTitle: 'Troppe modifiche',
    tooManyText:
      'Hai cambiato la tua scelta molto spesso. Aspetta un’ora prima di chiedere altri messaggi. Puoi fermare i messaggi in qualsiasi momento.',
  },
  confirmation: {
    subject: (business) => `Conferma, per favore: messaggi di ${business}`,
    text: (business) =>
      `Qualcuno, probabilmente tu, ha chiesto a ${business} di scrivere a questo indirizzo. Premi il pulsante per confermare.`,
    button: 'Conferma',
    ignore: 'Se non sei stato tu, non fare nulla: senza la tua conferma non riceverai alcun invio.',
    pageText: (business) => `Premi il pulsante per ricevere i messaggi di ${business}.`,
    doneTitle: 'Confermato',
    doneText: (business) => `Riceverai i messaggi di ${business}. Puoi chiudere questa pagina.`,
    expiredTitle: 'Questo link è scaduto',
    expiredText: 'Compila di nuovo il modulo per riceverne uno nuovo.',
  },
  mail: { preferences: 'Annulla l’iscrizione o scegli che cosa ricevi' },
  view: {
    link: 'Visualizza nel browser',
    goneTitle: 'Questa email non può più essere mostrata',
    goneText:
      'Il suo contenuto non è più conservato. Puoi ancora leggerla nella tua casella di posta.',
  },
  sms: {
    stopped: (business) =>
      `${business}: Non riceverai altri SMS da questo numero. Rispondi START per riceverli di nuovo.`,
    started: (business) =>
      `${business}: Riceverai di nuovo i nostri SMS. Rispondi HELP per aiuto, STOP per finire.`,
    help: (business, contact) =>
      `${business}: ${contact}Rispondi STOP per non ricevere SMS da questo numero.`,
    writeTo: (address) => `Scrivi a ${address}`,
  },
  archive: {
    title: (business) => `Email di ${business}`,
    empty: 'Qui non c’è ancora nessuna email.',
    older: 'Email precedenti',
    newest: 'Email più recenti',
    feed: 'Feed RSS',
    all: (business) => `Tutte le email di ${business}`,
    subscribe: 'Iscriviti',
    personalTitle: 'Questo link è personale',
    personalText:
      'Funziona solo nell’email ricevuta dal suo destinatario. Apri quell’email per annullare l’iscrizione o scegliere che cosa ricevi.',
  },
  errors: {
    linkTitle: 'Questo link non funziona',
    linkText:
      'Forse è stato tagliato durante la copia. Apri di nuovo il messaggio e segui il link che contiene. Se porta ancora qui, rispondi al messaggio e avvisa chi l’ha inviato. Non è stato modificato nulla.',
    pageTitle: 'Pagina non trovata',
    pageText: 'A questo indirizzo non c’è nessuna pagina.',
    busyTitle: 'Troppe richieste',
    busyText: 'Dalla tua rete sono state aperte troppe pagine. Attendi un minuto e riprova.',
    failedTitle: 'Qualcosa è andato storto da parte nostra',
    failedText: 'Riprova tra un momento.',
  },
  sentWith: 'Inviato con Crier',
  skipToPage: 'Vai al contenuto',
}
