import type { RecipientWords } from './words.ts'

export const polish: RecipientWords = {
  form: {
    submit: 'Wyślij',
    required: 'wymagane',
    choose: 'Wybierz',
    yes: 'Tak',
    no: 'Nie',
    problems: 'Sprawdź swoje odpowiedzi',
    missing: 'Wypełnij to pole.',
    email: 'Podaj adres e-mail, na przykład ana@example.com.',
    phone: 'Podaj numer z kodem kraju, na przykład +48 22 443 1000.',
    number: 'Podaj liczbę, na przykład 12 lub 3.5.',
    date: 'Podaj istniejącą datę.',
    url: 'Podaj adres zaczynający się od https://.',
    choice: 'Wybierz z listy.',
    tooLong: 'Tekst jest za długi.',
    consentNeeded: 'Zaznacz to pole, aby przejść dalej.',
    thanksTitle: 'Dziękujemy',
    thanksText: 'Twoje odpowiedzi dotarły. Możesz zamknąć tę stronę.',
    confirmTitle: 'Jeszcze jeden krok: sprawdź pocztę',
    confirmText: 'Otwórz e-mail od nas i potwierdź przyciskiem, który w nim jest.',
    closedTitle: 'Ten formularz jest zamknięty',
    closedText: 'Obecnie nie przyjmuje odpowiedzi.',
    expired: 'Ta strona była zbyt długo otwarta. Twoje odpowiedzi nadal tu są: wyślij je ponownie.',
    tooMany: 'Z Twojej sieci przyszło zbyt wiele odpowiedzi. Poczekaj minutę i wyślij je ponownie.',
    tryAgain: 'Nie udało się zapisać odpowiedzi. Nadal tu są: wyślij je ponownie.',
    wait: 'Chwileczkę…',
    sendHere:
      'Wypełnij formularz tutaj: programy go nadużywały, dlatego przyjmujemy odpowiedzi tylko z tej strony.',
    leaveEmpty: 'Pozostaw to pole puste',
    close: 'Zamknij',
    responsible: 'Administrator danych',
    privacy: 'Polityka prywatności',
  },
  preferences: {
    title: (business) => `Wiadomości od ${business}`,
    unsubscribed:
      'Gotowe: nie dostaniesz już mailingów pocztą e-mail. Te, które miały właśnie wyjść, zostały zatrzymane.',
    leftTopic: (topic) =>
      `Gotowe: nie otrzymasz więcej wiadomości na temat ${topic}. Pozostałe, które wybrano, nadal będą przychodzić.`,
    saved: 'Twój wybór jest zapisany.',
    askUnsubscribe: 'Naciśnij przycisk, aby nie dostawać więcej mailingów pocztą e-mail.',
    unsubscribe: 'Wypisz mnie',
    leaveTopic: (topic) => `Wypisz się z: ${topic}`,
    leaveAll: 'Wypisz się ze wszystkiego',
    legend: 'Co dostajesz',
    save: 'Zapisz mój wybór',
    stillSent: 'Nadal będziesz dostawać wiadomości o swoich zamówieniach i pytaniach.',
    emailChoice: (business) => `Chcę dostawać nowości i oferty od ${business} pocztą e-mail.`,
    smsChoice: (business) => `Chcę dostawać nowości i oferty od ${business} SMS-em.`,
    trackingLegend: 'Co jest zapisywane',
    trackingChoice: (business) =>
      `${business} może zapisywać, czy otwieram e-maile i w które linki klikam.`,
    topics: 'Tematy',
    often: 'Jak często?',
    oftens: {
      all: 'Zawsze, gdy jest coś nowego',
      weekly: 'Najwyżej jedna wiadomość w tygodniu',
      digest: 'Tylko regularne podsumowanie',
      pause: 'Żadnych przez 30 dni',
    },
    topicChoice: (topic, business) => `Chcę otrzymywać ${topic} od ${business}.`,
    emailTo: (hint) => `E-mail na ${hint}`,
    smsTo: (hint) => `SMS na ${hint}`,
    goneTitle: 'Nic nie jest do Ciebie wysyłane',
    goneText: (business) =>
      `${business ?? 'Nadawca'} nie ma już Twojego adresu, więc nie ma z czego się wypisywać. Możesz zamknąć tę stronę.`,
    returnText:
      'Jeśli nadal dostajesz wiadomości, użyj linku z najnowszej. Chcesz dostawać je znowu? Wpisz swój adres e-mail: wyślemy Ci wiadomość z przyciskiem do potwierdzenia.',
    returnLabel: 'Adres e-mail',
    returnButton: 'Wyślij mi wiadomość',
    returnAsked:
      'Jeśli wysyłka na ten adres została tu wstrzymana, wiadomość jest już w drodze. Naciśnij w niej przycisk, aby znów dostawać wiadomości; do tego czasu nic się nie zmieni.',
    tooManyTitle: 'Zbyt wiele zmian',
    tooManyText:
      'Twój wybór był bardzo często zmieniany. Poczekaj godzinę, zanim poprosisz o więcej wiadomości. Wypisać się możesz zawsze.',
  },
  confirmation: {
    subject: (business) => `Prosimy o potwierdzenie: wiadomości od ${business}`,
    text: (business) =>
      `Ktoś, zapewne Ty, poprosił, aby ${business} pisał na ten adres. Naciśnij przycisk, aby to potwierdzić.`,
    button: 'Potwierdzam',
    ignore: 'Jeśli to nie Ty, nie rób nic: bez potwierdzenia nie dostaniesz żadnych mailingów.',
    pageText: (business) => `Naciśnij przycisk, aby dostawać wiadomości od ${business}.`,
    doneTitle: 'Potwierdzono',
    doneText: (business) =>
      `Będziesz dostawać wiadomości od ${business}. Możesz zamknąć tę stronę.`,
    expiredTitle: 'Ten link wygasł',
    expiredText: 'Wypełnij formularz jeszcze raz, aby dostać nowy.',
  },
  mail: { preferences: 'Wypisz się lub wybierz, co dostajesz' },
  view: {
    link: 'Zobacz w przeglądarce',
    goneTitle: 'Tej wiadomości nie można już wyświetlić',
    goneText: 'Jej treść nie jest już przechowywana. Nadal możesz ją przeczytać w swojej skrzynce.',
  },
  // No letters that GSM 03.38 lacks: with one of them, a text holds only 70 characters.
  sms: {
    stopped: (business) =>
      `${business}: Nie dostaniesz juz SMS-ow z tego numeru. Odpisz START, aby znow je dostawac.`,
    started: (business) =>
      `${business}: Znow dostajesz nasze SMS-y. Odpisz HELP po pomoc, STOP, aby zakonczyc.`,
    help: (business, contact) =>
      `${business}: ${contact}Odpisz STOP, aby nie dostawac SMS-ow z tego numeru.`,
    writeTo: (address) => `Napisz na ${address}`,
  },
  archive: {
    title: (business) => `Wiadomości od ${business}`,
    empty: 'Nie ma tu jeszcze żadnej wiadomości.',
    older: 'Starsze wiadomości',
    newest: 'Najnowsze wiadomości',
    feed: 'Kanał RSS',
    all: (business) => `Wszystkie wiadomości od ${business}`,
    subscribe: 'Zapisz się',
    personalTitle: 'Ten link jest osobisty',
    personalText:
      'Działa tylko w wiadomości, którą dostał jej odbiorca. Otwórz tę wiadomość, aby się wypisać lub wybrać, co dostajesz.',
  },
  errors: {
    linkTitle: 'Ten link nie działa',
    linkText:
      'Być może został ucięty przy kopiowaniu. Otwórz wiadomość ponownie i skorzystaj z linku, który w niej jest. Jeśli on też prowadzi tutaj, odpowiedz na wiadomość i powiadom nadawcę. Nic nie zostało zmienione.',
    pageTitle: 'Nie znaleziono strony',
    pageText: 'Pod tym adresem nie ma strony.',
    busyTitle: 'Zbyt wiele żądań',
    busyText: 'Z Twojej sieci otwarto zbyt wiele stron. Poczekaj minutę i spróbuj ponownie.',
    failedTitle: 'Coś poszło nie tak po naszej stronie',
    failedText: 'Spróbuj ponownie za chwilę.',
  },
  sentWith: 'Wysłano przez Crier',
  skipToPage: 'Przejdź do treści',
}
