// Workers that lie, damage, fail and vanish, without a server: what is settled, and whom the run names.
import { describe, expect, it } from 'vitest';
import { encoded, hashOf, type AnswerMessage } from '../src/messages.ts';
import { TaskBoard, type AskedTask } from '../src/task-board.ts';

interface Asked {
  readonly task: AskedTask;
  readonly job: string;
  readonly notBy: string | undefined;
}

/** @param workers ids of those that are there */
function boardWith(workers: string[], right: (task: AskedTask) => unknown = ({ id }) => ({ of: id })) {
  const asked: Asked[] = [];
  const notices: string[] = [];
  const takenBack: string[] = [];
  const lost = new Set<string>();
  let here = 0;
  const board = new TaskBoard({
    ask: (task, job, notBy) => asked.push({ task, job, notBy }),
    missing: async (jobs) => new Set(jobs.filter((job) => lost.has(job))),
    takeBack: (jobs) => takenBack.push(...jobs),
    performHere: async (task) => (here++, encoded(right(task))),
    workers: () => new Map(workers.map((worker) => [worker, 1])),
    onNotice: (line) => notices.push(line),
  });
  const answer = (
    { task, job }: Asked,
    by: string,
    value: unknown = right(task),
    change: Partial<AnswerMessage> = {},
  ): void => {
    const text = encoded(value);
    const message = { task: task.id, job, by, name: `name of ${by}`, text, isFailure: false };
    board.receive({ ...message, checksum: hashOf(text), ...change });
  };
  return { board, asked, notices, takenBack, lost, answer, herePerformed: () => here };
}

/** Of an id that is not chosen to be asked for twice; 00000032 is 50, which is. */
const task = (id: string): AskedTask => ({ id, perform: 'p', task: { id }, text: id, label: `task ${id}` });
const UNCHOSEN = ['00000001', '00000002', '00000003', '00000004'];
const CHOSEN = '00000032';

describe('an answer', () => {
  it('is settled once another worker says the same, for the first of a worker', async () => {
    const { board, asked, answer } = boardWith(['a', 'b']);
    const [first, second] = [board.perform(task(UNCHOSEN[0]!)), board.perform(task(UNCHOSEN[1]!))];
    expect(asked.map(({ job }) => job)).toEqual(UNCHOSEN.slice(0, 2));
    answer(asked[0]!, 'a');
    expect(asked[2]).toMatchObject({ job: `${UNCHOSEN[0]}-1`, notBy: 'a' });
    // The second answer waits until its worker is trusted.
    answer(asked[1]!, 'a');
    expect(board.answered.size).toBe(0);
    answer(asked[2]!, 'b');
    expect(await Promise.all([first, second])).toEqual([{ of: UNCHOSEN[0] }, { of: UNCHOSEN[1] }]);
    // Both have been confirmed: nothing else is asked for twice, but for what is chosen.
    const third = board.perform(task(UNCHOSEN[2]!));
    answer(asked[3]!, 'b');
    expect(await third).toEqual({ of: UNCHOSEN[2] });
    void board.perform(task(CHOSEN));
    answer(asked[4]!, 'b');
    expect(asked[5]).toMatchObject({ job: `${CHOSEN}-1`, notBy: 'b' });
  });

  it('of the only worker is confirmed by this machine', async () => {
    const { board, asked, answer, herePerformed } = boardWith(['a']);
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a');
    expect(await done).toEqual({ of: UNCHOSEN[0] });
    expect(herePerformed()).toBe(1);
  });

  it('is confirmed here where the other worker has gone', async () => {
    const workers = ['a', 'b'];
    const { board, asked, answer } = boardWith(workers);
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a');
    workers.pop();
    await board.look();
    expect(await done).toEqual({ of: UNCHOSEN[0] });
  });

  it('may take another time', async () => {
    const { board, asked, answer } = boardWith(['a', 'b'], ({ id }) => ({ id, seconds: Math.random() }));
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a');
    answer(asked[1]!, 'b');
    expect(await done).toMatchObject({ id: UNCHOSEN[0] });
  });

  it('that came before it was asked for counts', async () => {
    const { board, asked, answer } = boardWith(['a']);
    answer({ task: task(UNCHOSEN[0]!), job: UNCHOSEN[0]!, notBy: undefined }, 'a');
    expect(await board.perform(task(UNCHOSEN[0]!))).toEqual({ of: UNCHOSEN[0] });
    expect(asked).toEqual([]);
  });

  it('is one for all who ask for the task at a time, and asked for anew by who asks later', async () => {
    const { board, asked, answer } = boardWith(['a']);
    const both = [board.perform(task(UNCHOSEN[0]!)), board.perform(task(UNCHOSEN[0]!))];
    expect(asked.map(({ job }) => job)).toEqual([UNCHOSEN[0]]);
    answer(asked[0]!, 'a');
    expect(await Promise.all(both)).toEqual([{ of: UNCHOSEN[0] }, { of: UNCHOSEN[0] }]);
    const later = board.perform(task(UNCHOSEN[0]!));
    expect(asked.map(({ job }) => job)).toEqual([UNCHOSEN[0], `${UNCHOSEN[0]}-1`]);
    answer(asked[1]!, 'a');
    expect(await later).toEqual({ of: UNCHOSEN[0] });
  });

  it('that comes twice counts once', async () => {
    const { board, asked, answer } = boardWith(['a']);
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a');
    answer(asked[0]!, 'a');
    expect(await done).toEqual({ of: UNCHOSEN[0] });
    answer(asked[0]!, 'a');
    expect([...board.answered.values()]).toEqual([1]);
  });
});

describe('a worker that answers otherwise', () => {
  it.each([
    ['first', 'a', 'b'],
    ['second', 'b', 'a'],
  ] as const)('and is the %s is named, with the other one', async (_, wrong, right) => {
    const { board, asked, answer } = boardWith(['a', 'b']);
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a', wrong === 'a' ? { of: 'lies' } : undefined);
    answer(asked[1]!, 'b', wrong === 'b' ? { of: 'lies' } : undefined);
    await expect(done).rejects.toMatchObject({
      code: 'workers-disagree',
      message: `worker name of ${wrong} gives another answer than name of ${right}: task ${UNCHOSEN[0]}; this machine agrees with name of ${right}; do not trust earlier answers of name of ${wrong}: leave it out, and start again with --force`,
    });
    await expect(board.perform(task(UNCHOSEN[1]!))).rejects.toMatchObject({ code: 'workers-disagree' });
  });

  it('and is alone is named', async () => {
    const { board, asked, answer } = boardWith(['a']);
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a', { of: 'lies' });
    await expect(done).rejects.toThrow('worker name of a gives another answer than this machine');
  });

  it('late, when all is settled, ends the run', async () => {
    const { board, asked, answer } = boardWith(['a']);
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a');
    await done;
    answer(asked[0]!, 'b', { of: 'lies' });
    await expect(board.perform(task(UNCHOSEN[1]!))).rejects.toThrow(
      'worker name of b gives another answer than name of a',
    );
  });

  it('by refusing what this machine does not refuse is named with its reason', async () => {
    const { board, asked, answer } = boardWith(['a']);
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a', { refused: 'data.csv: cannot be read' });
    await expect(done).rejects.toThrow('(it refuses: data.csv: cannot be read)');
  });
});

describe('what goes wrong', () => {
  it('on the way is noticed, and asked for again', async () => {
    const { board, asked, answer, notices } = boardWith(['a']);
    const done = board.perform(task(UNCHOSEN[0]!));
    answer(asked[0]!, 'a', undefined, { text: '{"of":"noise"}' });
    expect(notices).toEqual(['name of a: its answer was damaged on the way, and is asked for again']);
    answer(asked[1]!, 'a');
    expect(await done).toEqual({ of: UNCHOSEN[0] });
  });

  it('three times in the task itself ends the run, and says where', async () => {
    const { board, asked, answer } = boardWith(['a', 'b']);
    const done = board.perform(task(UNCHOSEN[0]!));
    const failure = { isFailure: true, text: 'out of memory', checksum: hashOf('out of memory') };
    for (const by of ['a', 'b', 'a']) answer(asked.at(-1)!, by, null, failure);
    expect(asked.length).toBe(3);
    await expect(done).rejects.toMatchObject({
      code: 'task-failed',
      message: 'out of memory (on name of a)',
    });
  });

  it('with the queue is made good: what it has lost twice is asked for again', async () => {
    const { board, asked, lost, answer } = boardWith(['a']);
    const done = board.perform(task(UNCHOSEN[0]!));
    lost.add(UNCHOSEN[0]!);
    await board.look();
    expect(asked.length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1600));
    await board.look();
    expect(asked.length).toBe(1);
    await board.look();
    expect(asked.map(({ job }) => job)).toEqual([UNCHOSEN[0], UNCHOSEN[0]]);
    answer(asked[1]!, 'a');
    expect(await done).toEqual({ of: UNCHOSEN[0] });
  });

  it('from outside ends all tasks, and takes their jobs back', async () => {
    const { board, takenBack } = boardWith(['a']);
    const done = board.perform(task(UNCHOSEN[0]!));
    board.fail(new Error('interrupted'));
    await expect(done).rejects.toThrow('interrupted');
    expect(takenBack).toEqual([UNCHOSEN[0]]);
  });
});

it('no more is asked for at a time than workers can use', () => {
  const { board, asked } = boardWith(['a']);
  for (let i = 0; i < 100; i++) void board.perform(task(`${i + 100}`.padStart(8, '0')));
  expect(asked.length).toBe(8);
});
