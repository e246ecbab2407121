Form

Name [                    ] Pass [                    ]
Check [ ] ( )one ( )two [alpha]
[start text                                                  ]
[                                                            ]
[                                                            ]
[                                                            ]
[                                                            ]
[                                                            ]
[Send]
line 0 go 0

line 1 go 1

line 2 go 2

line 3 go 3

line 4 go 4

line 5 go 5

line 6 go 6

line 7 go 7

line 8 go 8

line 9 go 9

line 10 go 10

line 11 go 11

line 12 go 12

line 13 go 13

line 14 go 14

line 15 go 15

line 16 go 16

line 17 go 17

line 18 go 18

line 19 go 19

line 20 go 20

line 21 go 21

line 22 go 22

line 23 go 23

line 24 go 24

line 25 go 25

line 26 go 26

line 27 go 27

line 28 go 28

line 29 go 29

line 30 go 30

line 31 go 31

line 32 go 32

line 33 go 33

line 34 go 34

line 35 go 35

line 36 go 36

line 37 go 37

line 38 go 38

line 39 go 39

line 40 go 40

line 41 go 41

line 42 go 42

line 43 go 43

line 44 go 44

line 45 go 45

line 46 go 46

line 47 go 47

line 48 go 48

line 49 go 49

line 50 go 50

line 51 go 51

line 52 go 52

line 53 go 53

line 54 go 54

line 55 go 55

line 56 go 56

line 57 go 57

line 58 go 58

line 59 go 59

line 60 go 60

line 61 go 61

line 62 go 62

line 63 go 63

line 64 go 64

line 65 go 65

line 66 go 66

line 67 go 67

line 68 go 68

line 69 go 69

line 70 go 70

line 71 go 71

line 72 go 72

line 73 go 73

line 74 go 74

line 75 go 75

line 76 go 76

line 77 go 77

line 78 go 78

line 79 go 79

line 80 go 80

line 81 go 81

line 82 go 82

line 83 go 83

line 84 go 84

line 85 go 85

line 86 go 86

line 87 go 87

line 88 go 88

line 89 go 89

line 90 go 90

line 91 go 91

line 92 go 92

line 93 go 93

line 94 go 94

line 95 go 95

line 96 go 96

line 97 go 97

line 98 go 98

line 99 go 99

