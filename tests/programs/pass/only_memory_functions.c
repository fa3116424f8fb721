// SPDX-License-Identifier: Apache-2.0
//
// Functions of libc on heap blocks that are exactly as large as what they may touch: nothing is
// reported, and the results are right. Two threads, so that every access is looked at.
// SCHEDULES: 50
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Neither the size of blocks nor of what is asked for is known to the compiler.
static void* (*volatile make)(size_t) = malloc;
static volatile int many = 100;

// The bytes of the text without its terminator, in a block of just that size.
static char* bytes(const char* text) {
  char* block = make(strlen(text));
  return memcpy(block, text, strlen(text));
}

static void compare(void) {
  char *abc = bytes("abc"), *ab = bytes("ab"), *x = bytes("x");
  assert(memcmp(abc, x, 3) < 0 && strncmp(abc, ab, 2) == 0 && strncasecmp(ab, "ABC", 2) == 0);
  assert(strcmp(x, "yes") < 0 && strnlen(abc, 3) == 3 && memchr(abc, 'b', many) == abc + 1);
  assert(memmem(abc, 3, "bc", 2) == abc + 1 && memrchr(abc, 'a', 3) == abc);
  assert(strncmp("abx", abc, 5) > 0 && strspn(abc, "b") == 0);
  free(abc);
  free(ab);
  free(x);
}

static void copy(void) {
  char *two = make(2), *six = make(6), *abc = bytes("abc");
  strncpy(two, abc, 2);
  assert(stpcpy(six, "12345") == six + 5 && mempcpy(two, abc + 1, 2) == two + 2);
  memmove(six + 1, six, 4);
  assert(memccpy(six, abc, 'c', many) == six + 3);
  strcpy(six, "ab");
  strncat(six, abc, 3);
  assert(strcmp(six, "ababc") == 0);
  memset(six, 0, 6);
  strcat(six, "1");
  char* twin = strndup(abc, 3);
  assert(strcmp(twin, "abc") == 0);
  free(two);
  free(six);
  free(abc);
  free(twin);
}

static void print(void) {
  char *five = make(5), *abc = bytes("abc");
  assert(snprintf(five, many, "%.*s%c", 3, abc, 'd') == 4 && strcmp(five, "abcd") == 0);
  assert(snprintf(five, (size_t)many / 20, "%s %s", "much", "longer") == 11 &&
         strcmp(five, "much") == 0);
  int here = 0;
  assert(sprintf(five, "%2$s%1$s", "b", "a") == 2);
  assert(sprintf(five, "%.1f%n%%", 1.5, &here) == 4 && here == 3);
  assert(sprintf(five, "%ld%hhd%Lg", 1l, (char)2, 3.0l) == 3 && strcmp(five, "123") == 0);
  assert(snprintf(NULL, 0, "%s%p%zu%jd", abc + 3 - 3 == abc ? "" : abc, NULL, (size_t)1,
                  (intmax_t)2) == 7);
  free(five);
  free(abc);
}

static void parse(void) {
  char* text = strdup("a,b;c");
  char *at, *rest = text;
  assert(strcmp(strtok_r(text, ",;", &at), "a") == 0 && strcmp(strtok_r(NULL, ";", &at), "b") == 0);
  assert(strcmp(strtok_r(NULL, ",;", &at), "c") == 0 && strtok_r(NULL, ",;", &at) == NULL);
  assert(strcmp(strsep(&rest, ","), "a") == 0 && rest == NULL);
  char* number = bytes("12x");
  assert(strtol(number, NULL, 10) == 12 && atoi(number) == 12);
  int* value = make(sizeof(int));
  char* word = make(3);
  assert(sscanf("12 ab 7", "%d%*[ ]%s %*d", value, word) == 2 && *value == 12);
  assert(strcmp(word, "ab") == 0);
  free(text);
  free(number);
  free(value);
  free(word);
}

static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }

static void move(void) {
  int ends[2], *numbers = calloc(3, sizeof(int));
  char* four = make(4);
  assert(pipe(ends) == 0 && write(ends[1], "line\nab", 7) == 7);
  assert(read(ends[0], four, 4) == 4);
  assert(read(ends[0], four, many) == 3);  // fits, whatever the number says
  assert(write(ends[1], "ab\ncd\n", 6) == 6 && close(ends[1]) == 0);
  FILE* stream = fdopen(ends[0], "r");
  assert(fgets(four, many, stream) == four && strcmp(four, "ab\n") == 0);
  assert(fread(four, 1, many, stream) == 3 && fgets(four, 4, stream) == NULL);
  fclose(stream);
  numbers[0] = 3;
  qsort(numbers, 3, sizeof *numbers, by_value);
  assert(numbers[2] == 3);
  free(numbers);
  free(four);
}

static void* all(void* unused) {
  size_t (*length)(const char*) = strlen;
  assert(length("four") == 4);
  compare();
  copy();
  print();
  parse();
  move();
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, all, NULL);
  all(NULL);
  pthread_join(other, NULL);
  return 0;
}
