/**
 * Common passwords and words, most common first. The list is short, so that the meter adds a few kilobytes; full dictionaries would add
 * hundreds. Sequences, keyboard patterns, repeats and dates are found by rules and need no list.
 */
const passwords =
  '123456 password 12345678 qwerty 123456789 12345 1234 111111 1234567 dragon 123123 baseball abc123 football monkey letmein 696969 shadow master 666666 qwertyuiop 123321 mustang 1234567890 michael 654321 superman 1qaz2wsx 7777777 121212 000000 qazwsx 123qwe killer trustno1 jordan jennifer zxcvbnm asdfgh hunter buster soccer harley batman andrew tigger sunshine iloveyou charlie robert thomas hockey ranger daniel starwars klaster 112233 george computer michelle jessica pepper 1111 zxcvbn 555555 11111111 131313 freedom 777777 pass maggie 159753 aaaaaa ginger princess joshua cheese amanda summer love ashley nicole chelsea biteme matthew access yankees 987654321 dallas austin thunder taylor matrix william corvette hello martin heather secret merlin diamond 1234qwer gfhjkm hammer silver 222222 88888888 anthony justin test bailey q1w2e3r4t5 patrick internet scooter orange 11111 golfer cookie richard samantha bigdog guitar jackson whatever mickey chicken sparky snoopy maverick phoenix camaro peanut morgan welcome falcon cowboy ferrari samsung andrea smokey steelers joseph mercedes dakota arsenal eagles melissa boomer spider nascar monster tigers yellow 123123123 gateway marina diablo bulldog qwer1234 compaq purple banana junior hannah 123654 porsche lakers iceman money cowboys 987654 london tennis 999999 ncc1701 coffee scooby 0000 miller boston q1w2e3r4 brandon yamaha chester mother forever johnny edward 333333 oliver redsox player nikita knight fender barney midnight please brandy chicago badboy slayer rangers charles angel flower rabbit wizard jasper rachel chris steven winner adidas victoria natasha 1q2w3e4r jasmine winter prince marine ghbdtn fishing cocacola casper james 232323 raiders 888888 marlboro gandalf asdfasdf crystal 87654321 12344321 golden 8675309 panther lauren angela spanky angels startrek jackie dennis donald maria 123abc admin administrator root user guest login changeme letmein1 passw0rd password1 qwerty123 welcome1 iloveyou1 woaini woaini1314 5201314 1314520 a123456 a123456789 123456a 123456aa qq123456 aa123456 asd123 zxc123 abcd1234 abc12345 147258369 147258 741852963 789456123 159357 147852 110110 520520 100200 112358 sakura doraemon pokemon naruto liverpool barcelona realmadrid juventus flamengo benfica manchester motdepasse azerty azertyuiop bonjour soleil doudou marseille loulou chocolat contrasena contraseña teamo estrella alejandro carlos mexico tequiero hola'
const words =
  'bitcoin btc ethereum eth crypto wallet trade trader trading exchange coin token satoshi hodl moon lambo binance coinbase usdt tether dollar euro yuan money cash bank invest investor profit rich million billion gold silver market stock future option margin leverage tessera demo account customer invite january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday spring autumn china beijing shanghai hongkong tokyo japan seoul korea bangkok thailand paris france madrid spain america england india russia germany family mama papa baby home house school phone mobile email google apple android windows facebook twitter instagram tiktok youtube wechat alipay taobao'

export const commonPasswords = (): string[] => passwords.split(' ')
export const commonWords = (): string[] => words.split(' ')

const rows = [
  '`~ 1! 2@ 3# 4$ 5% 6^ 7& 8* 9( 0) -_ =+',
  'qQ wW eE rR tT yY uU iI oO pP [{ ]} \\|',
  'aA sS dD fF gG hH jJ kK lL ;: \'"',
  'zZ xX cC vV bB nN mM ,< .> /?',
]

/** Neighbours of every key on a slanted keyboard: left, both above, right, both below. */
export function keyboard(): Record<string, (string | null)[]> {
  const keys = rows.map((row) => row.split(' '))
  // The top row starts one key further left than the others.
  const at = (row: number, column: number) => keys[row]?.[row === 0 ? column + 1 : column] ?? null
  const graph: Record<string, (string | null)[]> = {}
  for (const [row, line] of keys.entries()) {
    for (const [i, key] of line.entries()) {
      const column = row === 0 ? i - 1 : i
      const around = [
        at(row, column - 1),
        at(row - 1, column),
        at(row - 1, column + 1),
        at(row, column + 1),
        at(row + 1, column),
        at(row + 1, column - 1),
      ]
      for (const sign of key) graph[sign] = around
    }
  }
  return graph
}
